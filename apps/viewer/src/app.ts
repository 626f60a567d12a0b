// Everything on the page, and the loop that draws it.

import * as THREE from "three";
import type { Snapshot } from "./data/frames";
import type { Link } from "./data/link";
import type { Run } from "./data/run";
import { Live } from "./live";
import { bodiesPanel } from "./panels/bodies";
import { contactsPanel } from "./panels/contacts";
import { eventsPanel } from "./panels/events";
import { livePanel } from "./panels/live";
import { plotsPanel } from "./panels/plots";
import { scenePanel, summaryPanel } from "./panels/summary";
import { Bodies, localBoxes } from "./stage/bodies";
import { Contacts } from "./stage/contacts";
import { forceLength, typicalForce } from "./stage/forces";
import { Ground } from "./stage/ground";
import { Labels } from "./stage/labels";
import { Overlays, speedLength } from "./stage/overlays";
import { Space } from "./stage/space";
import { Stage } from "./stage/stage";
import { Witness } from "./stage/witness";
import { h, icon } from "./ui/dom";
import { helpDialog, listen, shortcuts } from "./ui/keys";
import { Legend } from "./ui/legend";
import { overlayMenu } from "./ui/overlay_menu";
import { type Key, Store } from "./ui/store";
import { Tabs } from "./ui/tabs";
import { transport } from "./ui/transport";

/// A pointer that moved less than this between down and up has clicked, pixels.
const clickReach = 5;

const framePath = "M4 9V4h5v2H6v3zM15 4h5v5h-2V6h-3zM4 15h2v3h3v2H4zM18 15h2v5h-5v-2h3z";
const themePath = "M12 3a9 9 0 100 18 9 9 0 000-18zm0 2v14a7 7 0 010-14z";

export class App {
  readonly element: HTMLElement;
  readonly store: Store;
  readonly stage: Stage;
  readonly snapshot: Snapshot;
  readonly contacts: Contacts;
  readonly tabs: Tabs;
  private readonly bodies: Bodies;
  private readonly ground: Ground;
  readonly overlays: Overlays;
  readonly witness: Witness;
  readonly live: Live | null; // where the run goes on
  private readonly labels: Labels;
  private readonly legend = new Legend();
  private readonly badge = h("span", { class: "badge", id: "status" });
  private readonly referenceForce: number; // N
  private readonly canvas = h("div", { class: "canvas" });
  private readonly panels: { element: HTMLElement; update: () => void }[];
  private dirty = true;
  private moved = true;
  private last = 0;

  constructor(readonly run: Run, link: Link | null) {
    this.store = new Store(run);
    this.snapshot = run.frames.makeSnapshot();
    const boxes = localBoxes(run);
    const space = new Space(run, boxes);
    this.stage = new Stage(this.canvas, space, run.header.gravity);
    this.bodies = new Bodies(run, space);
    this.ground = new Ground(run.header, space, this.stage.up);
    this.referenceForce = typicalForce(run);
    this.contacts = new Contacts(run, space, this.stage.up, this.referenceForce);
    this.overlays = new Overlays(run, space, boxes, this.bodies.colors, this.stage.up, this.referenceForce);
    this.labels = new Labels(run, this.overlays);
    this.witness = new Witness(run, space, boxes);
    this.live = run.isLive && link ? new Live(this, link) : null;
    this.canvas.append(this.labels.element, this.legend.element);
    this.stage.scene.add(this.ground.group, this.bodies.group, this.contacts.group, this.overlays.group, this.witness.group);
    if (this.live) this.stage.scene.add(this.live.grip.group);
    this.stage.onChange = () => (this.dirty = true);
    const bodyPanel = bodiesPanel(this.store, this.bodies.colors, this.snapshot);
    const contactPanel = contactsPanel(this.store, this.contacts, this.witness);
    this.panels = [bodyPanel, contactPanel];
    this.tabs = new Tabs([
      ...(this.live ? [{ name: "Live", element: livePanel(this.store, this.live) }] : []),
      { name: "Summary", element: summaryPanel(run) },
      { name: "Plots", element: plotsPanel(this.store) },
      { name: "Events", element: eventsPanel(this.store) },
      { name: "Contacts", element: contactPanel.element },
      { name: "Bodies", element: bodyPanel.element },
      { name: "Scene", element: scenePanel(run) },
    ]);
    this.tabs.onShow = () => (this.dirty = true);
    this.element = h("div", { class: "app" }, this.view(), this.tabs.element);
  }

  private showStatus(): void {
    const { live } = this;
    const { status } = this.run.header;
    const text = !live ? status : live.isOver ? "ended" : live.failure ? "failed" : this.store.playing && live.pace < 0.95 ? `live, ${live.pace.toFixed(2)}×` : "live";
    this.badge.textContent = text;
    this.badge.className = `badge ${["complete", "live"].includes(text) || text.startsWith("live") ? "good" : "bad"}`;
  }

  private view(): HTMLElement {
    const { header } = this.run;
    this.showStatus();
    const list = shortcuts(this.store, { all: () => this.stage.frameAll(), now: () => this.frameNow() }, () => help.showModal(), this.live ? () => this.live?.restart() : undefined);
    const help = helpDialog(() => list);
    listen(list);
    const top = h(
      "div",
      { class: "top" },
      h("bdi", { class: "title", id: "title" }, header.scene.name || "Run"),
      this.badge,
      h("span", { class: "spacer" }),
      overlayMenu(this.store),
      h("button", { type: "button", class: "tool", title: "All in the picture (R)", "aria-label": "All in the picture", click: () => this.stage.frameAll() }, icon(framePath)),
      h("button", { type: "button", class: "tool", id: "theme", title: "Light or dark (L)", "aria-label": "Light or dark", click: () => this.store.toggleTheme() }, icon(themePath)),
      h("button", { type: "button", class: "tool", title: "Keys (?)", "aria-label": "Keys", click: () => help.showModal() }, "?"),
    );
    return h("section", { class: "view" }, top, this.canvas, transport(this.store), help);
  }

  begin(): void {
    this.store.on((key) => this.react(key));
    this.applyTheme();
    this.listenToPointer();
    this.stage.resize();
    this.stage.frameAll();
    this.draw();
    if (this.live) this.store.play(true);
    // Shadows follow the first picture: of many bodies, without a graphics card, they keep it back.
    void this.stage.whenDrawn().then(() => {
      performance.mark("first picture");
      this.castShadows();
    });
    requestAnimationFrame((now) => this.tick(now));
  }

  private castShadows(): void {
    this.bodies.castShadows();
    this.ground.castShadows();
    this.moved = this.dirty = true;
  }

  private react(key: Key): void {
    this.dirty = true;
    if (key === "time" || key === "hidden" || key === "data") this.moved = true;
    if (key === "live" || key === "playing") this.showStatus();
    if (key === "theme") this.applyTheme();
    else if (key === "overlays") {
      this.bodies.setEdges(this.store.overlays.edges);
      this.bodies.setTransparent(this.store.overlays.xray);
    } else if (key === "hidden") {
      this.run.header.bodies.forEach((_, i) => this.ground.setVisible(i, !this.store.hidden.has(i)));
    } else if (key === "selection") this.bodies.select(this.store.body);
    else if (key === "follow" && !this.store.follow) this.stage.follow(null);
  }

  private applyTheme(): void {
    const theme = { dark: this.store.dark };
    document.documentElement.classList.toggle("dark", theme.dark);
    this.stage.setTheme(theme);
    this.bodies.setTheme(theme);
    this.ground.setTheme(theme);
  }

  private listenToPointer(): void {
    const canvas = this.stage.renderer.domElement;
    if (this.live) this.listenToPulling(this.live);
    let down = [0, 0];
    canvas.addEventListener("pointerdown", (event) => (down = [event.clientX, event.clientY]));
    canvas.addEventListener("pointerup", (event) => {
      if (event.button === 0 && Math.hypot(event.clientX - down[0], event.clientY - down[1]) < clickReach) this.pick(event);
    });
    canvas.addEventListener("dblclick", () => {
      if (this.store.body >= 0) this.stage.lookAt(this.overlays.centre(this.snapshot, this.store.body));
    });
  }

  /// A drag that begins on a body pulls at it; any other turns the camera. The listener hears of a
  /// pointer before the camera's controls do.
  private listenToPulling(live: Live): void {
    const canvas = this.stage.renderer.domElement;
    let down = [0, 0];
    let pointer = -1;
    this.canvas.addEventListener(
      "pointerdown",
      (event) => {
        if (event.target !== canvas || event.button !== 0 || event.shiftKey || pointer >= 0) return;
        const ray = this.rayAt(event);
        const hit = this.bodies.pick(ray);
        if (!hit || !live.grab(ray.ray, hit.body, hit.point)) return;
        event.stopPropagation();
        pointer = event.pointerId;
        down = [event.clientX, event.clientY];
        canvas.setPointerCapture(pointer);
      },
      { capture: true },
    );
    this.canvas.addEventListener("pointermove", (event) => {
      if (event.pointerId !== pointer) return;
      if (Math.hypot(event.clientX - down[0], event.clientY - down[1]) >= clickReach || live.grip.wasPulled) live.grip.move(this.rayAt(event).ray);
      this.dirty = true;
    });
    const let_go = (event: PointerEvent) => {
      if (event.pointerId !== pointer) return;
      pointer = -1;
      const pulled = live.grip.wasPulled;
      live.release();
      this.dirty = true;
      if (!pulled && event.type === "pointerup") this.pick(event);
      event.stopPropagation();
    };
    this.canvas.addEventListener("pointerup", let_go, { capture: true });
    this.canvas.addEventListener("pointercancel", let_go, { capture: true });
  }

  private rayAt(event: PointerEvent): THREE.Raycaster {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(this.pointerAt(event), this.stage.camera);
    return ray;
  }
  /// In device coordinates.
  private pointerAt(event: PointerEvent): THREE.Vector2 {
    const box = this.stage.renderer.domElement.getBoundingClientRect();
    return new THREE.Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
  }

  /// Contacts are small, so one near the pointer goes before the body behind it.
  private pick(event: PointerEvent): void {
    const { overlays } = this.store;
    const pixel = 2 / this.stage.renderer.domElement.clientWidth;
    const contact = overlays.contacts || overlays.forces ? this.contacts.pick(this.pointerAt(event), this.stage.camera, pixel) : -1;
    if (contact >= 0) {
      this.store.play(false);
      this.tabs.show("Contacts");
      this.store.selectContact(contact);
      return;
    }
    const ray = this.rayAt(event);
    const body = this.bodies.pick(ray)?.body ?? -1;
    if (event.shiftKey && this.store.body >= 0) {
      this.store.selectOther(body >= 0 ? body : this.ground.pick(ray));
      this.tabs.show("Contacts");
      return;
    }
    this.store.selectBody(body);
    if (body >= 0 && this.tabs.shown !== "Plots") this.tabs.show("Bodies");
  }

  private tick(now: number): void {
    const elapsed = Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    if (this.live) this.live.tick(now, elapsed);
    else if (this.store.playing) {
      const next = this.store.time + elapsed * this.store.speed;
      this.store.seek(next);
      if (next >= this.run.end) this.store.play(false);
    }
    if (this.dirty) this.draw();
    requestAnimationFrame((then) => this.tick(then));
  }

  /// Leaves only the picture on the page, as for a file. With a time, what moves then fills it.
  pose(options: { dark: boolean; show: string; time?: number }): void {
    this.element.classList.add("bare");
    this.castShadows();
    const shown = options.show === "" ? ["edges", "joints"] : options.show.split(",").map((name) => name.trim());
    const { overlays } = this.store;
    for (const name of shown) if (!(name in overlays)) throw new Error(`there is nothing called ${name} to show`);
    for (const name of Object.keys(overlays) as (keyof typeof overlays)[]) overlays[name] = shown.includes(name);
    this.store.dark = options.dark;
    this.store.changed("overlays");
    this.store.changed("theme");
    this.stage.resize();
    this.stage.frameAll();
    if (options.time !== undefined) {
      this.store.seek(options.time);
      this.draw();
      this.frameNow();
    }
    this.draw();
  }
  private frameNow(): void {
    this.stage.frameAll(this.stage.space.boxAt(this.snapshot));
  }
  poseAt(time: number): void {
    this.store.seek(time);
    this.draw();
  }

  draw(): void {
    this.dirty = false;
    const { store, stage, snapshot } = this;
    this.bodies.hidden.clear();
    for (const body of store.hidden) this.bodies.hidden.add(body);
    if (this.moved) {
      this.moved = false;
      this.run.frames.sample(store.time, snapshot);
      this.bodies.update(snapshot);
      stage.bodiesMoved();
    }
    if (store.follow && store.body >= 0) stage.follow(this.overlays.centre(snapshot, store.body));
    this.contacts.update(snapshot.frame, store, stage.camera);
    this.overlays.update(snapshot, store, stage.camera);
    this.witness.update(snapshot, store, this.contacts);
    this.live?.grip.draw();
    this.labels.update(snapshot, store, stage.camera, this.canvas.clientWidth, this.canvas.clientHeight);
    const pixels = stage.pixelsPerUnit();
    this.legend.update({
      grid: this.ground.spacing,
      force: store.overlays.forces ? this.referenceForce / store.arrows : 0,
      speed: store.overlays.velocity ? this.overlays.referenceSpeed / store.arrows : 0,
      forceBar: Math.round(forceLength * pixels),
      speedBar: Math.round(speedLength * pixels),
    });
    stage.render();
    for (const panel of this.panels) panel.update();
  }
}
