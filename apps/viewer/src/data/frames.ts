// Recorded frames, and the motion between them.

import { Quaternion, Vector3 } from "three";
import type { Chunk, Numbers } from "./chunk";
import type { Header } from "./header";

/// The place of every body at one time. Positions are relative to the origin of the playback.
export interface Snapshot {
  time: number;
  frame: number; // the last frame at or before this time
  position: Float64Array; // of the body frame, 3 per body
  orientation: Float64Array; // (x, y, z, w), 4 per body
  velocity: Float64Array; // of the centre of mass
  surface: Float32Array; // vertices of all bodies that bend, 3 each
}

export interface Contact {
  index: number; // within its frame
  a: number;
  b: number;
  point: [number, number, number];
  normal: [number, number, number];
  gap: number;
  normalForce: number;
  friction: [number, number, number];
  mode: string;
  features?: string; // where they are recorded: of the first body, of the second
  unique?: boolean;
}

export interface JointLoad {
  joint: number;
  impulse: boolean;
  force: [number, number, number];
  torque: [number, number, number];
  gap: number;
}

const modes = ["frictionless", "stick", "slide"];
const featureKinds = ["vertex", "edge", "face", "curved surface"];

/// Poses (bodies times frames) that are kept of a run without end: 200 MB or so.
const mostPoses = 3_000_000;

interface Block {
  first: number;
  count: number;
  arrays: Map<string, Numbers>;
}

function triple(values: Numbers | undefined, i: number): [number, number, number] {
  return values ? [values[3 * i], values[3 * i + 1], values[3 * i + 2]] : [0, 0, 0];
}

export class FrameStore {
  private blocks: Block[] = [];
  private times: number[] = [];
  /// Changes when frames are counted anew.
  age = 0;
  private readonly columnOf: Int32Array; // of each body; -1: it does not move

  constructor(private readonly header: Header) {
    this.columnOf = new Int32Array(header.bodies.length).fill(-1);
    header.moving.forEach((body, column) => (this.columnOf[body] = column));
  }

  get count(): number {
    return this.times.length;
  }
  time(frame: number): number {
    return this.times[frame];
  }

  add(chunk: Chunk): void {
    const time = chunk.arrays.get("time");
    if (!time) return;
    this.blocks.push({ first: this.times.length, count: time.length, arrays: chunk.arrays });
    for (const t of time) this.times.push(t);
    if (this.header.status === "live" && this.times.length * Math.max(1, this.header.moving.length) > mostPoses) this.forgetHalf();
  }
  clear(): void {
    this.blocks = [];
    this.times = [];
    ++this.age;
  }
  private forgetHalf(): void {
    const kept = this.blocks.slice(this.blocks.length >> 1);
    const gone = kept[0].first;
    this.blocks = kept.map((block) => ({ ...block, first: block.first - gone }));
    this.times = this.times.slice(gone);
    ++this.age;
  }

  /// The last frame whose time is not after t.
  frameAt(t: number): number {
    let low = 0;
    let high = this.times.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= t) low = middle;
      else high = middle;
    }
    return low;
  }

  private block(frame: number): Block {
    let low = 0;
    let high = this.blocks.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.blocks[middle].first <= frame) low = middle;
      else high = middle;
    }
    return this.blocks[low];
  }

  makeSnapshot(): Snapshot {
    const n = this.header.bodies.length;
    return {
      time: 0,
      frame: 0,
      position: new Float64Array(3 * n),
      orientation: new Float64Array(4 * n),
      velocity: new Float64Array(3 * n),
      surface: new Float32Array(this.header.bodies.reduce((sum, body) => sum + (body.surface?.rest.length ?? 0), 0)),
    };
  }

  /// Between two frames centres of mass follow the cubic that has the recorded velocities at both,
  /// and orientations turn evenly. Nothing happens between frames unless frames were left out.
  sample(t: number, out: Snapshot): void {
    const frame = this.frameAt(t);
    const next = Math.min(frame + 1, this.count - 1);
    const [t0, t1] = [this.times[frame], this.times[next]];
    const h = t1 - t0;
    const s = h > 0 ? Math.min(Math.max((t - t0) / h, 0), 1) : 0;
    out.time = t;
    out.frame = frame;
    const from = this.block(frame);
    const to = this.block(next);
    this.header.bodies.forEach((body, i) => {
      const column = this.columnOf[i];
      if (column < 0 || this.count === 0) {
        const o = this.header.origin;
        for (let k = 0; k < 3; ++k) out.position[3 * i + k] = body.position[k] - o[k];
        const [w, x, y, z] = body.orientation;
        out.orientation.set([x, y, z, w], 4 * i);
        out.velocity.fill(0, 3 * i, 3 * i + 3);
      } else {
        this.blend(from, frame, to, next, column, i, s, h, out);
      }
    });
    if (out.surface.length > 0 && this.count > 0) this.bend(from, frame, to, next, s, out.surface);
  }

  /// Vertices go straight from frame to frame.
  private bend(b0: Block, f0: number, b1: Block, f1: number, s: number, out: Float32Array): void {
    const from = b0.arrays.get("surface");
    const to = b1.arrays.get("surface");
    if (!from || !to) return;
    const n = out.length;
    const [i0, i1] = [(f0 - b0.first) * n, (f1 - b1.first) * n];
    for (let k = 0; k < n; ++k) out[k] = (1 - s) * from[i0 + k] + s * to[i1 + k];
  }

  private blend(b0: Block, f0: number, b1: Block, f1: number, column: number, body: number, s: number, h: number, out: Snapshot): void {
    const n = this.header.moving.length;
    const i0 = (f0 - b0.first) * n + column;
    const i1 = (f1 - b1.first) * n + column;
    const centre = scratch.centre.fromArray(this.header.bodies[body].centre);
    const q0 = readOrientation(b0, i0, scratch.q0);
    const q1 = readOrientation(b1, i1, scratch.q1);
    const c0 = readVector(b0, "position", i0, scratch.c0).add(scratch.arm.copy(centre).applyQuaternion(q0));
    const c1 = readVector(b1, "position", i1, scratch.c1).add(scratch.arm.copy(centre).applyQuaternion(q1));
    const v0 = readVector(b0, "velocity", i0, scratch.v0);
    const v1 = readVector(b1, "velocity", i1, scratch.v1);
    const c = scratch.c;
    if (s === 0) c.copy(c0);
    else if (this.header.event_frames) hermite(c0, v0, c1, v1, s, h, c);
    else c.lerpVectors(c0, c1, s);
    const q = scratch.q.copy(q0);
    if (s > 0) q.slerp(q1, s);
    c.sub(scratch.arm.copy(centre).applyQuaternion(q));
    out.position[3 * body] = c.x;
    out.position[3 * body + 1] = c.y;
    out.position[3 * body + 2] = c.z;
    out.orientation[4 * body] = q.x;
    out.orientation[4 * body + 1] = q.y;
    out.orientation[4 * body + 2] = q.z;
    out.orientation[4 * body + 3] = q.w;
    v0.lerp(v1, s);
    out.velocity[3 * body] = v0.x;
    out.velocity[3 * body + 1] = v0.y;
    out.velocity[3 * body + 2] = v0.z;
  }

  /// Where the centre of mass of a moving body is at a frame.
  centre(frame: number, body: number, out: Vector3): Vector3 {
    const block = this.block(frame);
    const i = (frame - block.first) * this.header.moving.length + this.columnOf[body];
    out.fromArray(this.header.bodies[body].centre).applyQuaternion(readOrientation(block, i, scratch.q));
    return out.add(readVector(block, "position", i, scratch.c));
  }

  /// A vector quantity of a body at a frame, or null where it is not recorded.
  vector(name: string, frame: number, body: number): [number, number, number] | null {
    const column = this.columnOf[body];
    if (column < 0) return [0, 0, 0];
    const block = this.block(frame);
    const values = block?.arrays.get(name);
    if (!values) return null;
    return triple(values, (frame - block.first) * this.header.moving.length + column);
  }

  private rows(block: Block, frame: number, ends: string): [number, number] {
    const list = block.arrays.get(ends);
    if (!list) return [0, 0];
    const k = frame - block.first;
    return [k > 0 ? list[k - 1] : 0, list[k]];
  }

  /// The frame at or before this one whose contacts are in the page.
  contactFrame(frame: number): number {
    for (let f = frame; f >= 0; --f) {
      const block = this.block(f);
      const there = block?.arrays.get("has_contacts");
      if (!there || there[f - block.first]) return f;
    }
    return 0;
  }

  contacts(frame: number): Contact[] {
    if (this.count === 0) return [];
    const block = this.block(frame);
    const [first, end] = this.rows(block, frame, "contacts_end");
    const get = (name: string) => block.arrays.get(`contact.${name}`);
    const list: Contact[] = [];
    for (let i = first; i < end; ++i) {
      list.push({
        index: i - first,
        a: get("body_a")?.[i] ?? -1,
        b: get("body_b")?.[i] ?? -1,
        point: triple(get("point"), i),
        normal: triple(get("normal"), i),
        gap: get("gap")?.[i] ?? NaN,
        normalForce: get("normal_force")?.[i] ?? 0,
        friction: triple(get("friction_force"), i),
        mode: modes[get("mode")?.[i] ?? 0] ?? "",
        features: this.features(get("feature_a"), get("feature_b"), i, get("body_a")?.[i] ?? -1, get("body_b")?.[i] ?? -1),
        unique: get("unique") ? get("unique")![i] !== 0 : undefined,
      });
    }
    return list;
  }

  /// `face 2 on vertex 5`, with the part where a body has several; counted from 1.
  private features(ofA: Numbers | undefined, ofB: Numbers | undefined, i: number, a: number, b: number): string | undefined {
    if (!ofA || !ofB) return undefined;
    const name = (numbers: Numbers, body: number) => {
      const [part, kind, index] = numbers.subarray(3 * i, 3 * i + 3);
      const piece = kind === 3 && index === 0 ? featureKinds[3] : `${featureKinds[kind] ?? "?"} ${index + (kind === 3 ? 0 : 1)}`;
      return (this.header.bodies[body]?.parts.length ?? 1) > 1 ? `part ${part + 1} ${piece}` : piece;
    };
    return `${name(ofA, a)} on ${name(ofB, b)}`;
  }

  jointLoads(frame: number): JointLoad[] {
    if (this.count === 0) return [];
    const block = this.block(frame);
    const [first, end] = this.rows(block, frame, "joints_end");
    const get = (name: string) => block.arrays.get(`joint.${name}`);
    const list: JointLoad[] = [];
    for (let i = first; i < end; ++i) {
      list.push({
        joint: get("index")?.[i] ?? 0,
        impulse: (get("impulse")?.[i] ?? 0) !== 0,
        force: triple(get("force"), i),
        torque: triple(get("torque"), i),
        gap: get("gap")?.[i] ?? NaN,
      });
    }
    return list;
  }
}

const scratch = {
  centre: new Vector3(),
  arm: new Vector3(),
  c: new Vector3(),
  c0: new Vector3(),
  c1: new Vector3(),
  v0: new Vector3(),
  v1: new Vector3(),
  q: new Quaternion(),
  q0: new Quaternion(),
  q1: new Quaternion(),
};

function readVector(block: Block, name: string, i: number, out: Vector3): Vector3 {
  const values = block.arrays.get(name);
  return values ? out.set(values[3 * i], values[3 * i + 1], values[3 * i + 2]) : out.set(0, 0, 0);
}

/// Stored as (w, x, y, z); rounding may have taken the unit length.
function readOrientation(block: Block, i: number, out: Quaternion): Quaternion {
  const v = block.arrays.get("orientation");
  return v ? out.set(v[4 * i + 1], v[4 * i + 2], v[4 * i + 3], v[4 * i]).normalize() : out.identity();
}

/// The cubic through c0 and c1 with rates v0 and v1 over a time h, at the fraction s.
function hermite(c0: Vector3, v0: Vector3, c1: Vector3, v1: Vector3, s: number, h: number, out: Vector3): void {
  const [s2, s3] = [s * s, s * s * s];
  out
    .copy(c0)
    .multiplyScalar(2 * s3 - 3 * s2 + 1)
    .addScaledVector(v0, h * (s3 - 2 * s2 + s))
    .addScaledVector(c1, 3 * s2 - 2 * s3)
    .addScaledVector(v1, h * (s3 - s2));
}
