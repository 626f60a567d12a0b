// A body held by the pointer: a spring from the point that was grabbed to where the pointer is, in
// the plane through that point that faces the camera.

import * as THREE from "three";
import type { App } from "../app";
import { Dots, Segments } from "./marks";
import { accents } from "./palette";

export class Grip {
  readonly group = new THREE.Group();
  isHeld = false;
  wasPulled = false; // the program was told
  private body = -1;
  private readonly local = new THREE.Vector3(); // the point, in the body's frame, metres
  private readonly plane = new THREE.Plane();
  private readonly target = new THREE.Vector3(); // drawn units
  private moved = false;
  private readonly line = new Segments(accents.velocity);
  private readonly dots = new Dots(accents.velocity);

  constructor(private readonly app: App) {
    this.group.add(this.line.group, this.dots.group);
  }

  take(body: number, point: THREE.Vector3, ray: THREE.Ray): void {
    const { snapshot, stage } = this.app;
    const { space } = stage;
    this.body = body;
    this.isHeld = true;
    this.wasPulled = this.moved = false;
    const turn = space.orientation(snapshot, body, new THREE.Quaternion());
    this.local.copy(point).sub(space.position(snapshot, body, new THREE.Vector3()));
    this.local.applyQuaternion(turn.conjugate()).multiplyScalar(space.unit);
    this.plane.setFromNormalAndCoplanarPoint(ray.direction.clone().negate(), point);
    this.target.copy(point);
  }
  move(ray: THREE.Ray): void {
    if (!ray.intersectPlane(this.plane, this.target)) return;
    this.moved = true;
  }
  drop(): void {
    this.isHeld = false;
    this.draw();
  }

  /// Tells where the body is pulled to, if that has changed and somebody listens.
  follow(tell: ((pull: { body: number; point: number[]; target: number[] }) => void) | null): void {
    if (!this.isHeld || !this.moved || !tell) return;
    this.moved = false;
    this.wasPulled = true;
    const { origin } = this.app.run.header;
    const target = this.target.toArray().map((x, k) => x * this.app.stage.space.unit + origin[k]);
    tell({ body: this.body, point: this.local.toArray(), target });
  }

  draw(): void {
    const { overlays, snapshot, stage } = this.app;
    this.line.begin();
    this.dots.begin(2);
    if (this.isHeld) {
      const from = overlays.carried(snapshot, this.body, this.local.toArray());
      const size = 0.005 * from.distanceTo(stage.camera.position);
      this.line.add(from, this.target);
      this.dots.add(from, size);
      this.dots.add(this.target, size);
    }
    this.line.end();
    this.dots.end();
  }
}
