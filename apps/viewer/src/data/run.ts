// A run as the player knows it: shapes, series, events, and the motion at any time.

import { type Chunk, type Numbers, unpackChunk } from "./chunk";
import type { Header } from "./header";
import { FrameStore } from "./frames";
import { Series } from "./series";

/// Events that are kept of a run without end.
const mostEvents = 100_000;

export interface Mesh {
  vertices: Float32Array;
  normals: Float32Array;
  triangles: Uint32Array;
  edges: Float32Array;
}

export interface RunEvent {
  index: number;
  time: number;
  kind: string;
  a: number;
  b: number;
  point: [number, number, number]; // relative to the origin of the playback
  normal: [number, number, number];
  normalImpulse: number;
  impulse: [number, number, number];
  detail: string;
}

function triple(values: Numbers | undefined, i: number): [number, number, number] {
  return values ? [values[3 * i], values[3 * i + 1], values[3 * i + 2]] : [0, 0, 0];
}

function readMeshes(chunk: Chunk): Mesh[] {
  const ends = chunk.arrays.get("ends") as Uint32Array;
  const vertices = chunk.arrays.get("vertices") as Float32Array;
  const normals = chunk.arrays.get("normals") as Float32Array;
  const triangles = chunk.arrays.get("triangles") as Uint32Array;
  const edges = chunk.arrays.get("edges") as Float32Array;
  const meshes: Mesh[] = [];
  let [v, t, e] = [0, 0, 0];
  for (let i = 0; i < ends.length; i += 3) {
    const [v1, t1, e1] = ends.subarray(i, i + 3);
    meshes.push({
      vertices: vertices.subarray(3 * v, 3 * v1),
      normals: normals.subarray(3 * v, 3 * v1),
      triangles: triangles.subarray(3 * t, 3 * t1),
      edges: edges.subarray(6 * e, 6 * e1),
    });
    [v, t, e] = [v1, t1, e1];
  }
  return meshes;
}

function readEvents(chunk: Chunk): RunEvent[] {
  const get = (name: string) => chunk.arrays.get(name);
  const time = get("time");
  if (!time) return [];
  const kinds = chunk.notes.kinds as string[];
  const details = chunk.notes.details as string[];
  return Array.from(time, (t, i) => ({
    index: i,
    time: t,
    kind: kinds[get("kind")?.[i] ?? 0] ?? "?",
    a: get("body_a")?.[i] ?? -1,
    b: get("body_b")?.[i] ?? -1,
    point: triple(get("point"), i),
    normal: triple(get("normal"), i),
    normalImpulse: get("normal_impulse")?.[i] ?? 0,
    impulse: triple(get("impulse"), i),
    detail: details?.[get("detail")?.[i] ?? 0] ?? "",
  }));
}

export class Run {
  meshes: Mesh[] = [];
  readonly series = new Series();
  events: RunEvent[] = [];
  readonly frames: FrameStore;

  constructor(readonly header: Header) {
    this.frames = new FrameStore(header);
  }

  /// Chunks may come one by one, as from a run that is still going on.
  add(chunk: Chunk): void {
    if (chunk.kind === "shapes") this.meshes = readMeshes(chunk);
    else if (chunk.kind === "events") this.addEvents(readEvents(chunk));
    else if (chunk.kind === "frames") this.frames.add(chunk);
    else if (chunk.kind === "series") this.series.add(chunk);
  }
  private addEvents(events: RunEvent[]): void {
    for (const event of events) this.events.push({ ...event, index: this.events.length });
    if (this.events.length <= mostEvents || !this.isLive) return;
    this.events = this.events.slice(mostEvents / 2).map((event, index) => ({ ...event, index }));
  }

  /// A run that goes on while it is shown, without an end.
  get isLive(): boolean {
    return this.header.status === "live";
  }
  /// Everything but the shapes: it begins anew.
  clear(): void {
    this.events = [];
    this.series.clear();
    this.frames.clear();
  }

  get start(): number {
    return this.frames.count > 0 ? this.frames.time(0) : 0;
  }
  get end(): number {
    return this.frames.count > 0 ? this.frames.time(this.frames.count - 1) : 0;
  }

  bodyName(index: number): string {
    return this.header.bodies[index]?.name ?? "world";
  }
}

/// The run that stands in the page.
export async function loadRun(): Promise<Run> {
  const header = document.getElementById("abut-header");
  if (!header?.textContent) throw new Error("this page holds no run");
  const run = new Run(JSON.parse(header.textContent) as Header);
  const elements = [...document.querySelectorAll<HTMLScriptElement>("script.abut-chunk")];
  for (const chunk of await Promise.all(elements.map((e) => unpackChunk(e.textContent ?? "")))) run.add(chunk);
  // The text is not needed any more, and may be tens of megabytes.
  for (const element of elements) element.textContent = "";
  return run;
}
