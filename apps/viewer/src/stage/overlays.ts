// Joints, springs, velocities, trails, boxes, names, and the event that is looked at.

import * as THREE from "three";
import type { Snapshot } from "../data/frames";
import type { Run } from "../data/run";
import type { Store } from "../ui/store";
import { arrowOf } from "./forces";
import { Arrows, Dots, Segments } from "./marks";
import { accents } from "./palette";
import type { Space } from "./space";

export const speedLength = 0.22; // of the arrow of a typical large velocity, drawn units
const mostTrails = 60;
const coilTurns = 9;
const trailInterval = 400; // ms

export class Overlays {
  readonly group = new THREE.Group();
  readonly referenceSpeed: number;
  private readonly joints = new Dots(accents.joint);
  private readonly axes = new Segments(accents.joint);
  private readonly reactions = new Arrows(accents.joint);
  private readonly springs = new Segments(accents.spring, false);
  private readonly velocities = new Arrows(accents.velocity, 0.8); // they start inside
  private readonly boxes = new Segments("#8a94a0");
  private readonly event = new Dots(accents.event);
  private readonly impulse = new Arrows(accents.event);
  private readonly trails = new Map<number, THREE.Line>();
  private readonly trailGroup = new THREE.Group();

  constructor(private readonly run: Run, private readonly space: Space, private readonly localBoxes: THREE.Box3[], private readonly colors: THREE.Color[], private readonly up: THREE.Vector3, private readonly referenceForce: number) {
    // Of a run that has not begun: what a fall through the picture gives.
    this.referenceSpeed = run.frames.count > 0 ? typicalSpeed(run) : Math.sqrt(2 * (Math.hypot(...run.header.gravity) || 9.81) * space.unit);
    for (const part of [this.joints, this.axes, this.reactions, this.springs, this.velocities, this.boxes, this.event, this.impulse]) this.group.add(part.group);
    this.group.add(this.trailGroup);
  }

  update(snapshot: Snapshot, store: Store, camera: THREE.Camera): void {
    this.updateJoints(snapshot, store, camera);
    this.updateSprings(snapshot);
    this.updateVelocities(snapshot, store, camera);
    this.updateBoxes(snapshot, store);
    this.updateTrails(snapshot, store);
    this.updateEvent(store, camera);
  }

  /// A point carried by a body, or a world point.
  carried(snapshot: Snapshot, body: number, point: ArrayLike<number>): THREE.Vector3 {
    if (body < 0) return this.space.worldPoint(point, new THREE.Vector3());
    const turn = this.space.orientation(snapshot, body, new THREE.Quaternion());
    const arm = new THREE.Vector3().fromArray(Array.from(point)).applyQuaternion(turn).divideScalar(this.space.unit);
    return arm.add(this.space.position(snapshot, body, new THREE.Vector3()));
  }

  centre(snapshot: Snapshot, body: number): THREE.Vector3 {
    return this.carried(snapshot, body, this.run.header.bodies[body].centre);
  }

  /// Above a body.
  top(snapshot: Snapshot, body: number): THREE.Vector3 {
    const box = this.worldBox(snapshot, body);
    if (box.isEmpty()) return this.centre(snapshot, body);
    const [middle, half] = [box.getCenter(new THREE.Vector3()), box.getSize(new THREE.Vector3()).multiplyScalar(0.5)];
    const reach = Math.abs(half.x * this.up.x) + Math.abs(half.y * this.up.y) + Math.abs(half.z * this.up.z);
    return middle.addScaledVector(this.up, reach);
  }

  private updateJoints(snapshot: Snapshot, store: Store, camera: THREE.Camera): void {
    const list = store.overlays.joints ? this.run.header.joints : [];
    this.joints.begin(2 * list.length);
    this.axes.begin();
    for (const joint of list) {
      const [p, q] = joint.ends.map((end) => this.carried(snapshot, end.body, end.point));
      const size = p.distanceTo(camera.position);
      this.joints.add(p, 0.0055 * size);
      this.joints.add(q, 0.0055 * size);
      this.axes.add(p, q);
      if (!joint.has_axis) continue;
      const end = joint.ends[0];
      const axis = new THREE.Vector3(...end.axis);
      if (end.body >= 0) axis.applyQuaternion(this.space.orientation(snapshot, end.body, new THREE.Quaternion()));
      axis.multiplyScalar(0.05 * size);
      this.axes.add(p.clone().sub(axis), p.clone().add(axis));
    }
    this.joints.end();
    this.axes.end();
    this.updateReactions(snapshot, store, camera);
  }

  /// The force of each joint on its second body.
  private updateReactions(snapshot: Snapshot, store: Store, camera: THREE.Camera): void {
    const { frames, header } = this.run;
    const shown = store.overlays.joints && store.overlays.forces && header.joints.length > 0;
    const loads = shown ? frames.jointLoads(frames.contactFrame(snapshot.frame)).filter((load) => !load.impulse) : [];
    this.reactions.begin(loads.length);
    for (const load of loads) {
      const end = header.joints[load.joint]?.ends[1];
      if (!end) continue;
      const p = this.carried(snapshot, end.body, end.point);
      const arrow = arrowOf(new THREE.Vector3(...load.force), this.referenceForce, store.arrows);
      this.reactions.add(p, arrow, 0.0017 * p.distanceTo(camera.position));
    }
    this.reactions.end();
  }

  private updateSprings(snapshot: Snapshot): void {
    this.springs.begin();
    for (const { ends } of this.run.header.springs) {
      const [a, b] = ends.map((end) => this.carried(snapshot, end.body, end.point));
      const along = b.clone().sub(a);
      const side = new THREE.Vector3(0, 0, 1).cross(along);
      if (side.length() < 1e-9) side.set(1, 0, 0);
      side.setLength(Math.min(0.02, 0.06 * along.length()));
      const at = (i: number) => {
        const s = i / (2 * coilTurns);
        const swing = i === 0 || i === 2 * coilTurns ? 0 : i % 2 === 0 ? 1 : -1;
        return a.clone().addScaledVector(along, s).addScaledVector(side, swing);
      };
      for (let i = 0; i < 2 * coilTurns; ++i) this.springs.add(at(i), at(i + 1));
    }
    this.springs.end();
  }

  private updateVelocities(snapshot: Snapshot, store: Store, camera: THREE.Camera): void {
    const moving = store.overlays.velocity ? this.run.header.moving : [];
    const scale = this.referenceSpeed > 0 ? (store.arrows * speedLength) / this.referenceSpeed : 0;
    this.velocities.begin(moving.length);
    for (const body of moving) {
      if (store.hidden.has(body)) continue;
      const centre = this.centre(snapshot, body);
      const v = new THREE.Vector3().fromArray(snapshot.velocity, 3 * body).multiplyScalar(scale);
      this.velocities.add(centre, v, 0.0017 * centre.distanceTo(camera.position));
    }
    this.velocities.end();
  }

  private updateBoxes(snapshot: Snapshot, store: Store): void {
    this.boxes.begin();
    this.run.header.bodies.forEach((_, body) => {
      const local = this.localBoxes[body];
      if (local.isEmpty() || store.hidden.has(body)) return;
      if (store.overlays.boxes) this.addBox(this.worldBox(snapshot, body));
    });
    this.boxes.end();
  }

  /// Around the corners of the body's own box, drawn units.
  private worldBox(snapshot: Snapshot, body: number): THREE.Box3 {
    const { min, max } = this.localBoxes[body];
    const box = new THREE.Box3();
    for (let i = 0; i < 8; ++i)
      box.expandByPoint(this.carried(snapshot, body, [i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z]));
    return box;
  }

  private addBox({ min, max }: THREE.Box3): void {
    const corner = (i: number) => new THREE.Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z);
    for (let i = 0; i < 8; ++i) for (const bit of [1, 2, 4]) if (!(i & bit)) this.boxes.add(corner(i), corner(i | bit));
  }

  private updateTrails(snapshot: Snapshot, store: Store): void {
    const { moving } = this.run.header;
    const wanted = !store.overlays.trails ? [] : moving.length <= mostTrails ? moving : moving.filter((body) => body === store.body);
    for (const [body, line] of this.trails) line.visible = wanted.includes(body) && !store.hidden.has(body);
    for (const body of wanted) {
      let line = this.trails.get(body);
      if (!line || this.isOutdated(line)) {
        if (line) this.trailGroup.remove(line);
        line = this.makeTrail(body);
        this.trails.set(body, line);
        this.trailGroup.add(line);
      }
      line.geometry.setDrawRange(0, snapshot.frame + 1);
    }
  }

  /// A run that goes on draws its trails anew now and then.
  private isOutdated({ userData }: THREE.Line): boolean {
    const { frames } = this.run;
    return userData.age !== frames.age || (userData.count !== frames.count && performance.now() - userData.made > trailInterval);
  }

  private makeTrail(body: number): THREE.Line {
    const { frames } = this.run;
    const points = new Float32Array(3 * frames.count);
    const centre = new THREE.Vector3();
    for (let i = 0; i < frames.count; ++i) frames.centre(i, body, centre).divideScalar(this.space.unit).toArray(points, 3 * i);
    const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(points, 3));
    const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: this.colors[body], transparent: true, opacity: 0.85 }));
    line.frustumCulled = false;
    line.userData = { age: frames.age, count: frames.count, made: performance.now() };
    return line;
  }

  /// The selected event, while its time is shown.
  private updateEvent(store: Store, camera: THREE.Camera): void {
    const event = this.run.events[store.event];
    const shown = event && event.time === store.time && (event.a >= 0 || event.b >= 0);
    this.event.begin(1);
    this.impulse.begin(1);
    if (shown) {
      const p = this.space.point(event.point, new THREE.Vector3());
      const size = p.distanceTo(camera.position);
      this.event.add(p, 0.007 * size);
      const impulse = new THREE.Vector3(...event.impulse);
      if (impulse.length() > 0) this.impulse.add(p, impulse.setLength(0.12 * size), 0.0026 * size);
    }
    this.event.end();
    this.impulse.end();
  }
}

function typicalSpeed(run: Run): number {
  const speeds: number[] = [];
  const n = run.frames.count;
  for (let i = 0; i < 40 && n > 0; ++i) {
    const frame = Math.floor((i * (n - 1)) / 39);
    for (const body of run.header.moving) {
      const v = run.frames.vector("velocity", frame, body);
      if (v) speeds.push(Math.hypot(...v));
    }
  }
  speeds.sort((a, b) => a - b);
  return speeds.length > 0 ? speeds[Math.floor(0.95 * (speeds.length - 1))] : 0;
}
