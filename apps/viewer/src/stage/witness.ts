// The plane between the two bodies of a selected pair: the one that a contact holds, or else the one
// halfway between the nearest points of the drawn shapes, across the line that joins them.

import * as THREE from "three";
import type { Snapshot } from "../data/frames";
import type { Run } from "../data/run";
import type { Store } from "../ui/store";
import { matrixOf } from "./bodies";
import type { Contacts } from "./contacts";
import { nearest, type Solid } from "./nearest";
import type { Space } from "./space";
import { accents } from "./palette";

/// Half the width of the square that is drawn, as a part of the smaller body, and its bounds in drawn
/// units.
const reach = 0.8;
const smallest = 0.05;
const largest = 0.6;

export interface WitnessPlane {
  bodies: [number, number];
  point: THREE.Vector3; // drawn units
  normal: THREE.Vector3; // towards the first body
  gap: number; // m
  isExact: boolean; // told by the run, not by the drawn shapes
}

export class Witness {
  readonly group = new THREE.Group();
  plane: WitnessPlane | null = null;
  private readonly sheet: THREE.Mesh;
  private readonly rim: THREE.LineSegments;

  constructor(private readonly run: Run, private readonly space: Space, private readonly localBoxes: THREE.Box3[]) {
    const square = new THREE.PlaneGeometry(2, 2);
    const material = new THREE.MeshBasicMaterial({ color: accents.witness, transparent: true, opacity: 0.3, side: THREE.DoubleSide, depthWrite: false });
    this.sheet = new THREE.Mesh(square, material);
    this.rim = new THREE.LineSegments(new THREE.EdgesGeometry(square), new THREE.LineBasicMaterial({ color: accents.witness }));
    this.sheet.renderOrder = 3;
    this.group.add(this.sheet, this.rim);
    this.group.visible = false;
  }

  update(snapshot: Snapshot, store: Store, contacts: Contacts): void {
    this.plane = store.overlays.witness ? this.find(snapshot, store, contacts) : null;
    this.group.visible = this.plane !== null;
    if (!this.plane) return;
    const { point, normal, bodies } = this.plane;
    this.group.position.copy(point);
    this.group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
    const sizes = bodies.map((body) => (this.localBoxes[body]?.isEmpty() === false ? this.localBoxes[body].getSize(new THREE.Vector3()).length() / 2 : Infinity));
    const half = (reach * Math.min(...sizes)) / this.space.unit;
    this.group.scale.setScalar(Math.min(Math.max(half, smallest), largest));
  }

  private find(snapshot: Snapshot, store: Store, contacts: Contacts): WitnessPlane | null {
    const chosen = contacts.list[store.contact];
    const [a, b] = chosen ? [chosen.a, chosen.b] : [store.body, store.other];
    if (a < 0 || b < 0) return null;
    const contact = chosen ?? contacts.list.find((one) => (one.a === a && one.b === b) || (one.a === b && one.b === a));
    if (contact) {
      const point = this.space.point(contact.point, new THREE.Vector3());
      return { bodies: [contact.a, contact.b], point, normal: new THREE.Vector3(...contact.normal), gap: contact.gap, isExact: true };
    }
    return this.between(snapshot, a, b);
  }

  /// Of all pairs of parts the nearest one.
  private between(snapshot: Snapshot, a: number, b: number): WitnessPlane | null {
    let best: WitnessPlane | null = null;
    for (const one of this.solids(snapshot, a))
      for (const other of this.solids(snapshot, b)) {
        const found = nearest(one, other);
        if (!found) continue;
        const gap = found.distance * this.space.unit;
        if (best && best.gap <= gap) continue;
        const point = found.a.clone().add(found.b).multiplyScalar(0.5);
        best = { bodies: [a, b], point, normal: found.a.clone().sub(found.b).normalize(), gap, isExact: false };
      }
    return best;
  }

  private solids(snapshot: Snapshot, body: number): Solid[] {
    const scale = new THREE.Vector3().setScalar(1 / this.space.unit);
    const pose = new THREE.Matrix4().compose(this.space.position(snapshot, body, new THREE.Vector3()), this.space.orientation(snapshot, body, new THREE.Quaternion()), scale);
    return this.run.header.bodies[body].parts.flatMap((part): Solid[] => {
      if (part.normal && part.offset !== undefined) {
        const local = matrixOf(part.position, part.orientation, [1, 1, 1]);
        const place = pose.clone().multiply(local);
        const normal = new THREE.Vector3(...part.normal);
        const point = normal.clone().multiplyScalar(part.offset).applyMatrix4(place);
        return [{ plane: new THREE.Plane().setFromNormalAndCoplanarPoint(normal.transformDirection(place), point) }];
      }
      if (part.mesh === undefined || part.inverted) return [];
      const place = pose.clone().multiply(matrixOf(part.position, part.orientation, part.scale!));
      return [{ vertices: this.run.meshes[part.mesh].vertices, place }];
    });
  }
}
