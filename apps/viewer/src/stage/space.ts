// From metres to the units that are drawn. Scenes may be nanometres or kilometres large; what is
// drawn is always about one unit large, and near the origin.

import { Box3, Quaternion, Vector3 } from "three";
import type { Run } from "../data/run";
import type { Snapshot } from "../data/frames";

/// How many instants of a run are looked at to find how far it reaches.
const looks = 40;
/// Bodies that fly off farther than this many times the first extent do not shrink the rest.
const farthest = 4;

export class Space {
  readonly unit: number; // metres per drawn unit
  readonly box: Box3; // what the camera should show, drawn units

  constructor(readonly run: Run, radii: number[]) {
    const box = boxOverTime(run, radii);
    const size = box.getSize(new Vector3()).length();
    this.unit = size > 0 ? size / 2 : 1;
    this.box = new Box3(box.min.divideScalar(this.unit), box.max.divideScalar(this.unit));
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

function boxAt(run: Run, snapshot: Snapshot, radii: number[], moving: boolean): Box3 {
  const box = new Box3();
  run.header.bodies.forEach((body, i) => {
    if ((body.motion !== "fixed") !== moving || !Number.isFinite(radii[i])) return;
    const centre = new Vector3().fromArray(snapshot.position, 3 * i);
    const r = new Vector3().setScalar(radii[i]);
    box.expandByPoint(centre.clone().add(r)).expandByPoint(centre.sub(r));
  });
  return box;
}

function boxOverTime(run: Run, radii: number[]): Box3 {
  const snapshot = run.frames.makeSnapshot();
  run.frames.sample(run.start, snapshot);
  const first = boxAt(run, snapshot, radii, true);
  const fixed = boxAt(run, snapshot, radii, false);
  const whole = first.clone();
  for (let i = 1; i <= looks; ++i) {
    run.frames.sample(run.start + ((run.end - run.start) * i) / looks, snapshot);
    whole.union(boxAt(run, snapshot, radii, true));
  }
  if (!first.isEmpty()) {
    const allowance = first.getSize(new Vector3()).length() * (farthest / 2);
    whole.intersect(first.clone().expandByScalar(allowance));
  }
  if (whole.isEmpty()) whole.copy(fixed);
  const comparable = fixed.getSize(new Vector3()).length() < farthest * whole.getSize(new Vector3()).length();
  if (!fixed.isEmpty() && comparable) whole.union(fixed);
  if (whole.isEmpty()) whole.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  return whole;
}
