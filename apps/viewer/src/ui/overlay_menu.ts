// Which of the overlays are shown.

import { accents } from "../stage/palette";
import { h } from "./dom";
import type { Overlays, Store } from "./store";

const entries: [keyof Overlays, string, string, string?][] = [
  ["contacts", "contact points", "C", accents.contact],
  ["forces", "contact forces", "F", accents.force],
  ["normals", "contact normals", "N", "#8a94a0"],
  ["regions", "contact regions", "A", accents.contact],
  ["joints", "joints", "J", accents.joint],
  ["velocity", "velocities", "V", accents.velocity],
  ["trails", "trails", "T"],
  ["names", "names", "M"],
  ["boxes", "bounding boxes", "B", "#8a94a0"],
  ["edges", "edges", "E"],
  ["xray", "transparent bodies", "X"],
  ["witness", "plane between a selected pair", "W", accents.witness],
];

export function overlayMenu(store: Store): HTMLElement {
  const boxes = entries.map(([name, , ,]) => h("input", { type: "checkbox", "data-overlay": name, change: () => store.toggle(name) }));
  const rows = entries.map(([, label, key, color], i) =>
    h("label", {}, boxes[i], h("span", { class: "swatch", style: `background:${color ?? "transparent"}` }), label, h("kbd", {}, key)),
  );
  const scale = h("input", {
    type: "range",
    min: -2,
    max: 2,
    step: "any",
    value: 0,
    "aria-label": "Length of arrows",
    input: () => {
      store.arrows = 2 ** (2 * Number(scale.value));
      store.changed("arrows");
    },
  });
  const show = () => entries.forEach(([name], i) => (boxes[i].checked = store.overlays[name]));
  store.on((key) => key === "overlays" && show());
  show();
  const menu: HTMLDetailsElement = h(
    "details",
    { class: "menu", id: "overlays" },
    h("summary", { class: "tool", title: "What is shown" }, "Show"),
    h("div", {}, ...rows, h("label", { class: "arrow-scale" }, "arrows", scale)),
  );
  document.addEventListener("pointerdown", (event) => {
    if (menu.open && !menu.contains(event.target as Node)) menu.open = false;
  });
  return menu;
}
