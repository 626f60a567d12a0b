// What can be changed while a simulation goes on.

import type { Live } from "../live";
import { h, number } from "../ui/dom";
import type { Store } from "../ui/store";

/// How long after the last change of a slider it takes effect, ms.
const settling = 120;

interface Setting {
  element: HTMLElement;
  value: () => number | null;
  reset: () => void;
}

/// A number that is the scene's own until it is moved.
function slider(id: string, label: string, most: number, changed: () => void): Setting {
  const output = h("output", {}, "the scene's own");
  let chosen: number | null = null;
  const input = h("input", {
    type: "range",
    id: `live-${id}`,
    min: 0,
    max: most,
    step: 0.01,
    value: 0,
    "aria-label": label,
    input: () => {
      chosen = Number(input.value);
      output.textContent = number(chosen, 3);
      changed();
    },
  });
  const reset = () => {
    chosen = null;
    input.value = "0";
    output.textContent = "the scene's own";
  };
  return { element: h("label", { class: "setting" }, h("span", {}, label), input, output), value: () => chosen, reset };
}

export function livePanel(store: Store, live: Live): HTMLElement {
  const { gravity } = store.run.header;
  let timer = 0;
  const apply = () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      const vector = axes.map((axis) => Number(axis.value)) as [number, number, number];
      const own = vector.every((x, k) => x === gravity[k]);
      live.set({ gravity: own || !vector.every(Number.isFinite) ? null : vector, friction: friction.value(), restitution: restitution.value() });
    }, settling);
  };
  const axes = ["x", "y", "z"].map((name, k) =>
    h("input", { type: "number", step: "any", id: `live-gravity-${name}`, value: gravity[k], "aria-label": `Gravity along ${name}`, input: apply }),
  );
  const friction = slider("friction", "Friction", 1.5, apply);
  const restitution = slider("restitution", "Restitution", 1, apply);
  const notice = h("p", { class: "notice", id: "live-notice", hidden: true });
  const search = h("p", { class: "note", id: "live-search" });
  const stop = h("button", { type: "button", class: "tool", id: "live-stop", hidden: true, click: () => live.stopSearch() }, "Stop");
  const pace = h("p", { class: "note", id: "live-pace" });
  const asInScene = () => {
    axes.forEach((axis, k) => (axis.value = String(gravity[k])));
    friction.reset();
    restitution.reset();
    apply();
  };

  const show = () => {
    notice.hidden = !live.failure && !live.isOver;
    notice.textContent = live.wasRefused ? "Another page shows this simulation, or the program has ended." : live.isOver ? "The program has ended. What was simulated so far can still be played." : `The motion cannot go on: ${live.failure}`;
    search.textContent = live.search;
    stop.hidden = !live.isSearching;
    const slow = store.playing && live.pace < 0.95;
    pace.textContent = slow ? `Time passes at ${number(live.pace, 2)} of the speed chosen: the simulation takes longer.` : "";
  };
  store.on((key) => (key === "live" || key === "playing") && show());
  show();
  return h(
    "div",
    {},
    notice,
    search,
    stop,
    h("div", { class: "line" }, h("button", { type: "button", class: "tool", id: "live-restart", click: () => live.restart() }, "Restart (0)"), h("button", { type: "button", class: "tool", id: "live-reset", click: asInScene }, "Settings of the scene")),
    h("h2", {}, "Gravity, m/s²"),
    h("div", { class: "axes" }, ...axes),
    h("h2", {}, "All contacts"),
    friction.element,
    restitution.element,
    pace,
    h("h2", {}, "By hand"),
    h("p", { class: "note" }, "Drag a body to pull at it with a spring; drag beside the bodies to turn the view. Changes act from the present on: the motion goes on from where it is with the new values."),
  );
}
