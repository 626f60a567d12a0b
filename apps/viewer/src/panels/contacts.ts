// The contacts of the frame shown, and all that is known of the one that is selected.

import type { Contact } from "../data/frames";
import type { Contacts } from "../stage/contacts";
import { forceOn } from "../stage/forces";
import type { Witness } from "../stage/witness";
import { h, nameElement, number, vector } from "../ui/dom";
import type { Store } from "../ui/store";
import { LongList } from "./list";

/// Of a long chain only the first joints are listed.
const mostJoints = 100;

export function contactsPanel(store: Store, contacts: Contacts, witness: Witness): { element: HTMLElement; update: () => void } {
  const { run } = store;
  const heading = h("p", { class: "note", id: "contact-count" });
  const detail = h("div", { class: "detail", id: "contact-detail" });
  const joints = h("div", { id: "joint-loads" });
  const list = new LongList<Contact>(30, (contact) =>
    h(
      "button",
      {
        type: "button",
        class: "contact",
        "data-contact": contact.index,
        "aria-current": contact.index === store.contact ? "true" : undefined,
        click: () => store.selectContact(contact.index),
      },
      h("span", { class: "who" }, nameElement(run.bodyName(contact.a), 20), " on ", nameElement(run.bodyName(contact.b), 20)),
      h("span", { class: "much" }, `${number(forceOn(contact).length(), 4)} N`),
    ),
  );
  list.element.id = "contact-list";

  function showDetail(): void {
    detail.replaceChildren();
    const contact = contacts.list[store.contact];
    if (!contact && store.other >= 0) {
      showPair();
      return;
    }
    if (!contact) {
      if (contacts.any) detail.append(h("p", { class: "note" }, "Click a contact, here or in the picture."));
      return;
    }
    const origin = run.header.origin;
    const friction = Math.hypot(...contact.friction);
    const rows: [string, Node | string][] = [
      ["first body", nameElement(run.bodyName(contact.a))],
      ["second body", nameElement(run.bodyName(contact.b))],
      ["point, m", vector(contact.point.map((x, k) => x + origin[k]), 6)],
      ["normal, to the first", vector(contact.normal)],
      ["gap, m", number(contact.gap, 4)],
      ["normal force, N", number(contact.normalForce, 6)],
      ["friction, N", contact.mode === "frictionless" ? "none" : `${number(friction, 6)} ${vector(contact.friction)}`],
      ["mode", contact.mode],
      ["features", contact.features ?? "not recorded"],
      ["forces unique", contact.unique === undefined ? "not recorded" : contact.unique ? "yes" : "no: of many, those of least norm"],
    ];
    detail.append(h("table", { class: "facts" }, h("tbody", {}, ...rows.map(([k, v]) => h("tr", {}, h("td", {}, k), h("td", {}, v))))));
  }

  /// Two bodies that were selected, whether or not they touch.
  function showPair(): void {
    const { plane } = witness;
    const apart = plane ? `${number(plane.gap, 4)}${plane.isExact ? "" : ", of the drawn shapes"}` : "not to be told from the drawn shapes";
    const rows: [string, Node | string][] = [
      ["first body", nameElement(run.bodyName(store.body))],
      ["second body", nameElement(run.bodyName(store.other))],
      ["distance, m", apart],
      ...(plane ? [["plane between, normal", vector(plane.normal.toArray())] as [string, string]] : []),
    ];
    detail.append(h("table", { class: "facts", id: "pair" }, h("tbody", {}, ...rows.map(([k, v]) => h("tr", {}, h("td", {}, k), h("td", {}, v))))));
  }

  /// What each joint transmits at the frame shown.
  function showJoints(): void {
    const { frames, header } = run;
    if (header.joints.length === 0 || frames.count === 0) return;
    const loads = frames.jointLoads(frames.contactFrame(frames.frameAt(store.time))).slice(0, mostJoints);
    const rows = loads.map((load) =>
      h(
        "tr",
        {},
        h("td", {}, nameElement(header.joints[load.joint]?.name ?? "?", 24), ` ${header.joints[load.joint]?.type ?? ""}`),
        h("td", {}, `${number(Math.hypot(...load.force), 4)} ${load.impulse ? "N s" : "N"}, ${number(Math.hypot(...load.torque), 4)} ${load.impulse ? "N m s" : "N m"}`),
      ),
    );
    joints.replaceChildren(h("h2", {}, "Joints: force and torque"), h("table", { class: "facts" }, h("tbody", {}, ...rows)));
  }

  const element = h("div", { class: "column" }, heading, list.element, detail, joints);
  let shown: Contact[] | null = null;
  let shownPair = "";
  let time = NaN;
  const update = () => {
    const pair = witness.plane ? `${witness.plane.bodies} ${witness.plane.gap}` : "";
    if (pair !== shownPair && store.other >= 0) showDetail();
    shownPair = pair;
    if (time !== store.time && !element.hidden) {
      time = store.time;
      showJoints();
    }
    if (contacts.list !== shown) {
      shown = contacts.list;
      if (store.contact >= shown.length) store.contact = -1;
      heading.textContent = shown.length === 0 ? "Nothing touches at this time." : `${shown.length} points of contact at this time`;
      list.element.hidden = shown.length === 0;
      list.setItems(shown);
      showDetail();
    }
  };
  store.on((key) => {
    if (key !== "selection") return;
    showDetail();
    list.draw();
    if (store.contact >= 0) list.reveal(store.contact);
  });
  return { element, update };
}
