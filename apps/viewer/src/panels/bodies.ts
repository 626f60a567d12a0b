// The bodies: select, follow, hide and show.

import * as THREE from "three";
import type { Snapshot } from "../data/frames";
import { h, icon, nameElement, number, vector } from "../ui/dom";
import type { Store } from "../ui/store";
import { LongList } from "./list";

const eye = "M12 5C6 5 2 12 2 12s4 7 10 7 10-7 10-7-4-7-10-7zm0 11a4 4 0 110-8 4 4 0 010 8z";

export function bodiesPanel(store: Store, colors: THREE.Color[], snapshot: Snapshot): { element: HTMLElement; update: () => void } {
  const { run } = store;
  const { bodies } = run.header;
  let shown = bodies.map((_, i) => i);
  const search = h("input", {
    type: "search",
    id: "body-filter",
    placeholder: "Filter by name",
    "aria-label": "Filter by name",
    input: () => {
      const wanted = search.value.toLowerCase();
      shown = bodies.flatMap((body, i) => (body.name.toLowerCase().includes(wanted) ? [i] : []));
      list.setItems(shown);
    },
  });
  const list = new LongList<number>(32, (i) => row(i));
  list.element.id = "body-list";
  const detail = h("div", { class: "detail", id: "body-detail" });

  function row(i: number): HTMLElement {
    const hidden = store.hidden.has(i);
    return h(
      "div",
      { class: "body", "aria-current": i === store.body ? "true" : undefined },
      h("button", { type: "button", class: "pick", "data-body": i, click: () => store.selectBody(i === store.body ? -1 : i) },
        h("span", { class: "swatch", style: `background:#${colors[i].getHexString()}` }),
        nameElement(bodies[i].name, 40),
        h("span", { class: "much" }, bodies[i].motion === "dynamic" ? `${number(bodies[i].mass, 4)} kg` : bodies[i].motion)),
      h("button", { type: "button", class: hidden ? "quiet off" : "quiet", title: hidden ? "Show" : "Hide", "aria-label": hidden ? "Show" : "Hide", click: () => store.toggleHidden(i) }, icon(eye)),
    );
  }

  const follow = h("button", { type: "button", class: "tool", click: () => store.toggleFollow() });
  const state = h("table", { class: "facts" });
  function showDetail(): void {
    detail.replaceChildren();
    const body = bodies[store.body];
    if (!body) return;
    detail.append(h("div", { class: "line" }, nameElement(body.name), h("span", { class: "spacer" }), follow), state);
    follow.textContent = store.follow ? "Stop following (O)" : "Follow (O)";
    update();
  }
  function update(): void {
    const i = store.body;
    const body = bodies[i];
    if (!body) return;
    const origin = run.header.origin;
    const frame = run.frames.count > 0 ? run.frames.frameAt(store.time) : 0;
    const spin = run.frames.count > 0 ? run.frames.vector("angular_velocity", frame, i) : null;
    const position = Array.from(snapshot.position.subarray(3 * i, 3 * i + 3), (x, k) => x + origin[k]);
    const rows: [string, string][] = [
      ["position, m", vector(position, 5)],
      ["velocity, m/s", vector(snapshot.velocity.subarray(3 * i, 3 * i + 3))],
      ["angular velocity, rad/s", spin ? vector(spin) : "left out"],
      ["mass, kg", number(body.mass, 6)],
      ["shape", body.parts.map((part) => part.shape).join(", ").slice(0, 200)],
      ["material", [...new Set(body.parts.map((part) => part.material || "–"))].join(", ").slice(0, 200)],
    ];
    state.replaceChildren(h("tbody", {}, ...rows.map(([k, v]) => h("tr", {}, h("td", {}, k), h("td", {}, v)))));
  }

  store.on((key) => {
    if (key === "selection" || key === "hidden" || key === "follow") {
      list.draw();
      showDetail();
    }
  });
  list.setItems(shown);
  return { element: h("div", { class: "column" }, search, list.element, detail), update };
}
