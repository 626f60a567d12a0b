// From metres to the units that are drawn. Scenes may be nanometres or kilometres large; what is
// drawn is always about one unit large, and near the origin.

import { Box3, Matrix4, Quaternion, Vector3 } from "three";
import type { Run } from "../data/run";
import type { Snapshot } from "../data/frames";

/// How many instants of a run are looked at to find how far it reaches.
const looks = 40;
/// The part of these instants at which all must be in the picture.
const usual = 0.65;
/// Fixed bodies that are larger than this many times all others do not count.
const farthest = 4;

/// Room around a live scene, as a part of its size.
const room = 0.2;

export class Space {
  readonly unit: number; // metres per drawn unit
  readonly box: Box3; // what the camera should show, drawn units

  constructor(readonly run: Run, private readonly localBoxes: Box3[]) {
    const box = boxOverTime(run, localBoxes);
    // Where a run that has not begun will go is not known.
    if (run.isLive) box.expandByScalar(room * box.getSize(new Vector3()).length());
    const size = box.getSize(new Vector3()).length();
    this.unit = size > 0 ? size / 2 : 1;
    this.box = new Box3(box.min.divideScalar(this.unit), box.max.divideScalar(this.unit));
  }

  /// Around all moving bodies at one time.
  boxAt(snapshot: Snapshot): Box3 {
    const box = boxAt(this.run, snapshot, this.localBoxes, true);
    if (box.isEmpty()) return this.box;
    return new Box3(box.min.divideScalar(this.unit), box.max.divideScalar(this.unit));
  }

  position(snapshot: Snapshot, body: number, out: Vector3): Vector3 {
    return out.fromArray(snapshot.position, 3 * body).divideScalar(this.unit);
  }
  orientation(snapshot: Snapshot, body: number, out: Quaternion): Quaternion {
    return out.fromArray(snapshot.orientation, 4 * body);
  }
  /// A point relative to the origin of the playback.
  point(p: ArrayLike<number>, out: Vector3): Vector3 {
    return out.set(p[0], p[1], p[2]).divideScalar(this.unit);
  }
  /// A world point.
  worldPoint(p: ArrayLike<number>, out: Vector3): Vector3 {
    const o = this.run.header.origin;
    return out.set(p[0] - o[0], p[1] - o[1], p[2] - o[2]).divideScalar(this.unit);
  }
}

function boxAt(run: Run, snapshot: Snapshot, localBoxes: Box3[], moving: boolean): Box3 {
  const box = new Box3();
  const pose = new Matrix4();
  run.header.bodies.forEach((body, i) => {
    if ((body.motion !== "fixed") !== moving || localBoxes[i].isEmpty()) return;
    const position = new Vector3().fromArray(snapshot.position, 3 * i);
    const turn = new Quaternion().fromArray(snapshot.orientation, 4 * i);
    box.union(localBoxes[i].clone().applyMatrix4(pose.compose(position, turn, new Vector3(1, 1, 1))));
  });
  return box;
}

/// Where bodies are most of the time, and where they all are at the start: a body that flies off does
/// not shrink the rest.
function boxOverTime(run: Run, localBoxes: Box3[]): Box3 {
  const snapshot = run.frames.makeSnapshot();
  run.frames.sample(run.start, snapshot);
  const whole = boxAt(run, snapshot, localBoxes, true);
  const fixed = boxAt(run, snapshot, localBoxes, false);
  const ends: Box3[] = [];
  for (let i = 0; i <= looks; ++i) {
    run.frames.sample(run.start + ((run.end - run.start) * i) / looks, snapshot);
    const box = boxAt(run, snapshot, localBoxes, true);
    if (!box.isEmpty()) ends.push(box);
  }
  if (ends.length > 0) {
    const part = (values: number[], q: number) => values.sort((a, b) => a - b)[Math.round(q * (values.length - 1))];
    const low = (k: "x" | "y" | "z") => part(ends.map((box) => box.min[k]), 1 - usual);
    const high = (k: "x" | "y" | "z") => part(ends.map((box) => box.max[k]), usual);
    whole.union(new Box3(new Vector3(low("x"), low("y"), low("z")), new Vector3(high("x"), high("y"), high("z"))));
  }
  if (whole.isEmpty()) whole.copy(fixed);
  const comparable = fixed.getSize(new Vector3()).length() < farthest * whole.getSize(new Vector3()).length();
  if (!fixed.isEmpty() && comparable) whole.union(fixed);
  if (whole.isEmpty()) whole.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  return whole;
}
