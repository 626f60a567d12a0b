// What happened, when: filtered by kind and by name; a click jumps there.

import type { RunEvent } from "../data/run";
import { h, nameElement, number, vector } from "../ui/dom";
import type { Store } from "../ui/store";
import { LongList } from "./list";

export function eventsPanel(store: Store): HTMLElement {
  const { run } = store;
  const off = new Set<string>();
  let wanted = "";
  let shown: RunEvent[] = [];
  let current = -1; // the last one up to the time shown

  const search = h("input", {
    type: "search",
    id: "event-filter",
    placeholder: "Filter by body",
    "aria-label": "Filter by body",
    input: () => {
      wanted = search.value.toLowerCase();
      list.element.scrollTop = 0;
      filter();
    },
  });
  const chips = h("div", { class: "chips" });
  function showChips(): void {
    const kinds = new Map<string, number>();
    for (const event of run.events) kinds.set(event.kind, (kinds.get(event.kind) ?? 0) + 1);
    chips.replaceChildren(...[...kinds].map(([kind, count]) => makeChip(kind, count)));
    empty.hidden = run.events.length > 0;
  }
  function makeChip(kind: string, count: number): HTMLButtonElement {
    const chip: HTMLButtonElement = h(
      "button",
      {
        type: "button",
        class: "chip",
        "aria-pressed": String(!off.has(kind)),
        "data-kind": kind,
        click: () => {
          if (!off.delete(kind)) off.add(kind);
          chip.setAttribute("aria-pressed", String(!off.has(kind)));
          list.element.scrollTop = 0;
          filter();
        },
      },
      `${kind} ${count}`,
    );
    return chip;
  }
  const list = new LongList<RunEvent>(46, (event) => row(event));
  list.element.id = "event-list";
  const detail = h("div", { class: "detail", id: "event-detail" });
  const empty = h("p", { class: "note" }, run.isLive ? "Nothing has happened yet." : "Nothing happened in this run.");

  function row(event: RunEvent): HTMLElement {
    return h(
      "button",
      {
        type: "button",
        class: "event",
        "data-event": event.index,
        "aria-current": event.index === store.event ? "true" : undefined,
        "data-now": event.index === current ? "true" : undefined,
        click: () => store.selectEvent(event.index),
      },
      h("span", { class: `kind kind-${event.kind}` }, event.kind),
      h("span", { class: "when" }, `${number(event.time, 9)} s`),
      h("span", { class: "who" }, nameElement(run.bodyName(event.a), 24), " – ", nameElement(run.bodyName(event.b), 24)),
      h("span", { class: "much" }, event.normalImpulse > 0 ? `${number(event.normalImpulse, 4)} N s` : ""),
    );
  }

  function filter(): void {
    const matches = (body: number) => run.bodyName(body).toLowerCase().includes(wanted);
    shown = run.events.filter((event) => !off.has(event.kind) && (wanted === "" || matches(event.a) || matches(event.b)));
    list.setItems(shown);
  }

  function showDetail(): void {
    const event = run.events[store.event];
    detail.replaceChildren();
    if (!event) return;
    const origin = run.header.origin;
    const rows: [string, Node | string][] = [
      ["time", `${event.time} s`],
      ["bodies", h("span", {}, nameElement(run.bodyName(event.a)), ", ", nameElement(run.bodyName(event.b)))],
      ["point, m", vector(event.point.map((x, k) => x + origin[k]))],
      ["normal", vector(event.normal)],
      ["impulse on the first, N s", vector(event.impulse)],
    ];
    if (event.detail) rows.push(["remark", event.detail]);
    detail.append(h("table", { class: "facts" }, h("tbody", {}, ...rows.map(([k, v]) => h("tr", {}, h("td", {}, k), h("td", {}, v))))));
  }

  /// The list follows time.
  function followTime(): void {
    let [low, high] = [0, shown.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (shown[middle].time <= store.time) low = middle + 1;
      else high = middle;
    }
    const index = shown[low - 1]?.index ?? -1;
    if (index === current) return;
    current = index;
    list.draw();
    const selected = run.events[store.event];
    if (selected?.time !== store.time) list.reveal(Math.max(low - 1, 0));
  }

  let known = run.events.length;
  let waiting = 0;
  const refresh = () => {
    waiting = 0;
    known = run.events.length;
    showChips();
    filter();
    followTime();
  };
  store.on((key) => {
    if (key === "data" && known !== run.events.length && waiting === 0) waiting = window.setTimeout(refresh, 200);
    if (key === "time") followTime();
    if (key !== "selection") return;
    showDetail();
    list.draw();
    const place = shown.findIndex((event) => event.index === store.event);
    if (place >= 0) list.reveal(place);
  });
  showChips();
  filter();
  return h("div", { class: "column" }, search, chips, empty, list.element, detail);
}
