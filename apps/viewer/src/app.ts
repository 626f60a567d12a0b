// Everything on the page, and the loop that draws it.

import * as THREE from "three";
import type { Snapshot } from "./data/frames";
import type { Run } from "./data/run";
import { scenePanel, summaryPanel } from "./panels/summary";
import { Bodies, localBoxes } from "./stage/bodies";
import { Ground } from "./stage/ground";
import { Space } from "./stage/space";
import { Stage } from "./stage/stage";
import { h } from "./ui/dom";
import { helpDialog, listen, shortcuts } from "./ui/keys";
import { Store } from "./ui/store";
import { transport } from "./ui/transport";

export class App {
  readonly element: HTMLElement;
  readonly store: Store;
  readonly stage: Stage;
  readonly snapshot: Snapshot;
  private readonly bodies: Bodies;
  private readonly ground: Ground;
  private readonly canvas = h("div", { class: "canvas" });
  private dirty = true;
  private last = 0;

  constructor(readonly run: Run) {
    this.store = new Store(run);
    this.snapshot = run.frames.makeSnapshot();
    const boxes = localBoxes(run);
    const radii = boxes.map((box) => (box.isEmpty() ? NaN : farthestCorner(box)));
    const space = new Space(run, radii);
    this.element = h("div", { class: "app" });
    this.stage = new Stage(this.canvas, space, run.header.gravity);
    this.bodies = new Bodies(run, space);
    this.ground = new Ground(run.header, space, this.stage.up);
    this.stage.scene.add(this.ground.group, this.bodies.group);
    this.stage.onChange = () => (this.dirty = true);
    this.element.append(this.view(), this.side());
  }

  private view(): HTMLElement {
    const { header } = this.run;
    const list = shortcuts(this.store, () => this.stage.frameAll(), () => help.showModal());
    const help = helpDialog(() => list);
    listen(list);
    const top = h(
      "div",
      { class: "top" },
      h("div", { class: "title", id: "title" }, header.scene.name || "Run"),
      h("span", { class: `badge ${header.status === "complete" ? "good" : "bad"}`, id: "status" }, header.status),
      h("span", { class: "spacer" }),
      h("button", { class: "tool", title: "Light or dark (L)", click: () => this.store.toggleTheme() }, "◐"),
      h("button", { class: "tool", title: "Keys (?)", click: () => help.showModal() }, "?"),
    );
    return h("section", { class: "view" }, top, this.canvas, transport(this.store), help);
  }

  private side(): HTMLElement {
    const panels: [string, HTMLElement][] = [
      ["Summary", summaryPanel(this.run)],
      ["Scene", scenePanel(this.run)],
    ];
    const tabs = h("div", { class: "tabs", role: "tablist" });
    const side = h("aside", { class: "side" }, tabs);
    const show = (name: string) => {
      panels.forEach(([other, panel], i) => {
        panel.hidden = other !== name;
        tabs.children[i].setAttribute("aria-selected", String(other === name));
      });
    };
    for (const [name, panel] of panels) {
      panel.classList.add("panel");
      tabs.append(h("button", { role: "tab", click: () => show(name) }, name));
      side.append(panel);
    }
    show("Summary");
    return side;
  }

  begin(): void {
    this.store.on((key) => {
      if (key === "theme") this.applyTheme();
      this.dirty = true;
    });
    this.applyTheme();
    this.stage.resize();
    this.stage.frameAll();
    this.draw();
    requestAnimationFrame((now) => this.tick(now));
  }

  private applyTheme(): void {
    const theme = { dark: this.store.dark };
    document.documentElement.classList.toggle("dark", theme.dark);
    this.stage.setTheme(theme);
    this.bodies.setTheme(theme);
    this.ground.setTheme(theme);
  }

  private tick(now: number): void {
    const elapsed = Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    if (this.store.playing) {
      const next = this.store.time + elapsed * this.store.speed;
      this.store.seek(next);
      if (next >= this.run.end) this.store.play(false);
    }
    if (this.dirty) this.draw();
    requestAnimationFrame((then) => this.tick(then));
  }

  draw(): void {
    this.dirty = false;
    this.run.frames.sample(this.store.time, this.snapshot);
    this.bodies.update(this.snapshot);
    this.stage.render();
  }
}

function farthestCorner(box: THREE.Box3): number {
  return Math.max(box.min.length(), box.max.length());
}
