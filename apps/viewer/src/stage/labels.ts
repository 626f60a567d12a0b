// Names beside the bodies.

import * as THREE from "three";
import type { Snapshot } from "../data/frames";
import type { Run } from "../data/run";
import { h } from "../ui/dom";
import type { Store } from "../ui/store";
import type { Overlays } from "./overlays";

const mostLabels = 80;
const labelHeight = 20; // pixels

interface Place {
  body: number;
  x: number; // device coordinates
  y: number;
  z: number;
  half: number; // half the width, pixels, about
}

/// Takes out labels that would cover one before them.
function dropCovered(places: Place[], width: number, height: number): void {
  const kept: Place[] = [];
  for (const place of places) {
    const covers = (other: Place) =>
      Math.abs(place.x - other.x) * 0.5 * width < place.half + other.half && Math.abs(place.y - other.y) * 0.5 * height < labelHeight;
    if (!kept.some(covers)) kept.push(place);
  }
  places.splice(0, places.length, ...kept);
}

export class Labels {
  readonly element = h("div", { class: "labels" });
  private readonly labels: HTMLElement[] = [];

  constructor(private readonly run: Run, private readonly overlays: Overlays) {}

  update(snapshot: Snapshot, store: Store, camera: THREE.Camera, width: number, height: number): void {
    const places: Place[] = [];
    this.run.header.bodies.forEach((body, i) => {
      const named = store.overlays.names || i === store.body;
      const isPlane = body.parts.every((part) => part.normal);
      if (!named || isPlane || store.hidden.has(i)) return;
      const p = this.overlays.top(snapshot, i).project(camera);
      if (p.z < 1 && Math.abs(p.x) < 1 && Math.abs(p.y) < 1) places.push({ body: i, x: p.x, y: p.y, z: p.z, half: 10 + 3.2 * Math.min(body.name.length, 80) });
    });
    places.sort((a, b) => (a.body === store.body ? -1 : b.body === store.body ? 1 : a.z - b.z));
    dropCovered(places, width, height);
    places.length = Math.min(places.length, mostLabels);
    while (this.labels.length < places.length) {
      const label = h("bdi", { class: "label" });
      this.labels.push(label);
      this.element.append(label);
    }
    this.labels.forEach((label, i) => {
      const place = places[i];
      label.hidden = !place;
      if (!place) return;
      const name = this.run.bodyName(place.body);
      const text = name.length > 80 ? `${name.slice(0, 80)}…` : name;
      if (label.textContent !== text) label.textContent = text;
      const [x, y] = [(place.x + 1) * 0.5 * width, (1 - place.y) * 0.5 * height];
      label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -110%)`;
    });
  }
}
