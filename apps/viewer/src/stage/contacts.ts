// Points of contact, their normals, forces and regions.

import * as THREE from "three";
import type { Contact } from "../data/frames";
import type { Run } from "../data/run";
import type { Store } from "../ui/store";
import { arrowOf, forceOn } from "./forces";
import { Arrows, Dots, Segments } from "./marks";
import { accents } from "./palette";
import type { Space } from "./space";

/// Normals whose cosine is above this belong to one region.
const sameNormal = 0.999;

export class Contacts {
  readonly group = new THREE.Group();
  list: Contact[] = []; // of the frame shown
  private frame = -1;
  private age = -1; // of the frames that `frame` counts
  private readonly dots = new Dots(accents.contact);
  private readonly chosen = new Dots("#ffffff");
  private readonly normals = new Arrows("#8a94a0");
  private readonly forces = new Arrows(accents.force);
  private readonly frictions = new Arrows(accents.friction);
  private readonly outlines = new Segments(accents.contact);
  private readonly fill: THREE.Mesh;
  private readonly place = new THREE.Vector3();

  constructor(private readonly run: Run, private readonly space: Space, private readonly up: THREE.Vector3, private readonly referenceForce: number) {
    const material = new THREE.MeshBasicMaterial({
      color: accents.contact,
      transparent: true,
      opacity: 0.32,
      depthTest: false,
      side: THREE.DoubleSide,
    });
    this.fill = new THREE.Mesh(new THREE.BufferGeometry(), material);
    this.fill.frustumCulled = false;
    this.fill.renderOrder = 4;
    for (const part of [this.dots, this.chosen, this.normals, this.forces, this.frictions, this.outlines]) this.group.add(part.group);
    this.group.add(this.fill);
  }

  get any(): boolean {
    return this.list.length > 0;
  }

  update(frame: number, store: Store, camera: THREE.Camera): void {
    const shown = this.run.frames.contactFrame(frame);
    if (shown !== this.frame || this.run.frames.age !== this.age) {
      this.frame = shown;
      this.age = this.run.frames.age;
      this.list = this.run.frames.contacts(shown);
    }
    const { overlays } = store;
    const visible = (contact: Contact) => !store.hidden.has(contact.a) || !store.hidden.has(contact.b);
    const list = this.list.filter(visible);
    for (const part of [this.dots, this.normals, this.forces, this.frictions]) part.begin(list.length);
    this.chosen.begin(1);
    for (const contact of list) {
      const p = this.space.point(contact.point, this.place);
      const size = p.distanceTo(camera.position);
      if (overlays.contacts) this.dots.add(p, 0.0036 * size);
      if (contact.index === store.contact) this.chosen.add(p, 0.0065 * size);
      if (overlays.normals) this.normals.add(p, new THREE.Vector3(...contact.normal).multiplyScalar(0.05 * size), 0.0012 * size);
      if (!overlays.forces) continue;
      const side = this.shownSide(contact);
      const arrow = (force: THREE.Vector3) => arrowOf(force.multiplyScalar(side), this.referenceForce, store.arrows);
      this.forces.add(p, arrow(forceOn(contact)), 0.0017 * size);
      this.frictions.add(p, arrow(new THREE.Vector3(...contact.friction)), 0.0017 * size);
    }
    for (const part of [this.dots, this.chosen, this.normals, this.forces, this.frictions]) part.end();
    this.updateRegions(overlays.regions ? list : []);
  }

  /// A force acts on both bodies, one way and the other. Drawn is the one on the body that can move;
  /// where both can, the one that holds its body up. 1: on the first body, -1: on the second.
  private shownSide(contact: Contact): number {
    const moves = (body: number) => this.run.header.bodies[body]?.motion === "dynamic";
    if (moves(contact.a) !== moves(contact.b)) return moves(contact.a) ? 1 : -1;
    return forceOn(contact).dot(this.up) >= 0 ? 1 : -1;
  }

  private updateRegions(list: Contact[]): void {
    const triangles: number[] = [];
    this.outlines.begin();
    for (const region of regionsOf(list)) {
      const corners = hullOf(region, this.space);
      corners.forEach((corner, i) => {
        const next = corners[(i + 1) % corners.length];
        if (corners.length > 1 && (corners.length > 2 || i === 0)) this.outlines.add(corner, next);
        if (i >= 1 && i + 1 < corners.length) for (const p of [corners[0], corner, next]) triangles.push(p.x, p.y, p.z);
      });
    }
    this.outlines.end();
    this.fill.visible = triangles.length > 0;
    if (this.fill.visible) this.fill.geometry.setAttribute("position", new THREE.Float32BufferAttribute(triangles, 3));
  }

  /// The contact drawn nearest to a place on the screen (device coordinates), if it is near enough.
  pick(pointer: THREE.Vector2, camera: THREE.Camera, pixel: number): number {
    let best = -1;
    let nearest = 12 * pixel;
    for (const contact of this.list) {
      const p = this.space.point(contact.point, this.place).project(camera);
      const distance = Math.hypot(p.x - pointer.x, p.y - pointer.y);
      if (p.z < 1 && distance < nearest) [best, nearest] = [contact.index, distance];
    }
    return best;
  }
}

/// Contacts of the same two bodies with the same normal.
function regionsOf(list: Contact[]): Contact[][] {
  const pairs = new Map<string, Contact[][]>();
  for (const contact of list) {
    const key = `${contact.a} ${contact.b}`;
    const regions = pairs.get(key) ?? [];
    const region = regions.find(([first]) => {
      const [n, m] = [first.normal, contact.normal];
      return n[0] * m[0] + n[1] * m[1] + n[2] * m[2] > sameNormal;
    });
    if (region) region.push(contact);
    else regions.push([contact]);
    pairs.set(key, regions);
  }
  return [...pairs.values()].flat();
}

/// Corners of a region in order around its middle. They are recorded as vertices of a convex hull.
function hullOf(region: Contact[], space: Space): THREE.Vector3[] {
  const points = region.map((contact) => space.point(contact.point, new THREE.Vector3()));
  if (points.length < 3) return points;
  const middle = points.reduce((sum, p) => sum.add(p), new THREE.Vector3()).divideScalar(points.length);
  const normal = new THREE.Vector3(...region[0].normal);
  const x = points[0].clone().sub(middle).normalize();
  const y = new THREE.Vector3().crossVectors(normal, x);
  const angle = (p: THREE.Vector3) => {
    const d = p.clone().sub(middle);
    return Math.atan2(d.dot(y), d.dot(x));
  };
  return points.sort((p, q) => angle(p) - angle(q));
}
