// Keyboard shortcuts, and the list of them.

import { h } from "./dom";
import type { Overlays, Store } from "./store";

interface Shortcut {
  keys: string;
  what: string;
  matches: (event: KeyboardEvent) => boolean;
  action: () => void;
}

function key(name: string, shift = false) {
  return (event: KeyboardEvent) => event.key.toLowerCase() === name.toLowerCase() && event.shiftKey === shift;
}

export function shortcuts(store: Store, frame: { all: () => void; now: () => void }, help: () => void, restart?: () => void): Shortcut[] {
  const overlay = (letter: string, what: string, name: keyof Overlays): Shortcut => ({
    keys: letter.toUpperCase(),
    what,
    matches: key(letter),
    action: () => store.toggle(name),
  });
  const ofLive: Shortcut[] = restart ? [{ keys: "0", what: "restart the simulation", matches: key("0"), action: restart }] : [];
  return [
    ...ofLive,
    { keys: "Space", what: "play, pause", matches: key(" "), action: () => store.play() },
    { keys: "← →", what: "frame back, forward", matches: key("ArrowLeft"), action: () => store.stepFrame(-1) },
    { keys: "", what: "", matches: key("ArrowRight"), action: () => store.stepFrame(1) },
    { keys: "Shift ← →", what: "event before, next event", matches: key("ArrowLeft", true), action: () => store.stepEvent(-1) },
    { keys: "", what: "", matches: key("ArrowRight", true), action: () => store.stepEvent(1) },
    { keys: "Home End", what: "start, end", matches: key("Home"), action: () => store.seek(store.run.start) },
    { keys: "", what: "", matches: key("End"), action: () => store.seek(store.run.end) },
    { keys: "[ ]", what: "slower, faster", matches: (e) => e.key === "[", action: () => store.stepSpeed(-1) },
    { keys: "", what: "", matches: (e) => e.key === "]", action: () => store.stepSpeed(1) },
    overlay("c", "contact points", "contacts"),
    overlay("n", "contact normals", "normals"),
    overlay("f", "contact forces", "forces"),
    overlay("a", "contact regions", "regions"),
    overlay("j", "joints", "joints"),
    overlay("v", "velocities", "velocity"),
    overlay("t", "trails", "trails"),
    overlay("m", "names", "names"),
    overlay("b", "bounding boxes", "boxes"),
    overlay("e", "edges", "edges"),
    overlay("x", "transparent bodies", "xray"),
    overlay("w", "plane between a selected pair", "witness"),
    { keys: "O", what: "follow the selected body", matches: key("o"), action: () => store.toggleFollow() },
    { keys: "H", what: "hide, show the selected body", matches: key("h"), action: () => store.body >= 0 && store.toggleHidden(store.body) },
    { keys: "R", what: "reset the camera", matches: key("r"), action: frame.all },
    { keys: "Z", what: "bring what moves into the picture", matches: key("z"), action: frame.now },
    { keys: "L", what: "light, dark", matches: key("l"), action: () => store.toggleTheme() },
    { keys: "Esc", what: "select nothing", matches: key("Escape"), action: () => store.selectBody(-1) },
    { keys: "?", what: "this list", matches: (e) => e.key === "?", action: help },
  ];
}

export function listen(list: Shortcut[]): void {
  window.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    const typing = target.matches("input:not([type=range]):not([type=checkbox]), select, textarea");
    const busy = typing || document.querySelector("dialog[open]") !== null;
    if (busy || event.ctrlKey || event.metaKey || event.altKey) return;
    const found = list.find((shortcut) => shortcut.matches(event));
    if (!found) return;
    event.preventDefault();
    found.action();
  });
}

export function helpDialog(list: () => Shortcut[]): HTMLDialogElement {
  const table = h("div", { class: "keys" });
  const dialog: HTMLDialogElement = h(
    "dialog",
    { class: "help", click: (event) => event.target === dialog && dialog.close() },
    h("h2", {}, "Keys"),
    table,
    h("p", {}, "Drag to orbit, drag with the right button or two fingers to pan, wheel or pinch to zoom. Click a body or a contact to select it, Shift-click a second body for the pair; double-click to look at it. In a live simulation, drag a body to pull at it."),
    h("form", { method: "dialog" }, h("button", {}, "Close")),
  );
  queueMicrotask(() => {
    for (const { keys, what } of list()) if (keys) table.append(h("div", {}, h("kbd", {}, keys), h("span", {}, what)));
  });
  return dialog;
}
