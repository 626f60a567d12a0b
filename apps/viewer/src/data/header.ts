// The header of a playback, as docs/guide/playback-format.md describes it.

export type Vector = [number, number, number];
/// (w, x, y, z)
export type Quaternion = [number, number, number, number];

export interface Part {
  shape: string;
  mesh?: number;
  scale?: Vector;
  inverted?: boolean;
  normal?: Vector; // of a plane
  offset?: number;
  position: Vector;
  orientation: Quaternion;
  material?: string;
}

export interface Body {
  name: string;
  motion: "dynamic" | "fixed" | "scripted";
  mass: number;
  centre: Vector; // of mass, in the body frame
  position: Vector; // at time 0
  orientation: Quaternion;
  color: Vector; // sRGB
  parts: Part[];
  surface?: Surface; // of a body that bends
}

/// The boundary of a body that bends: its vertices among those of all such bodies.
export interface Surface {
  first: number;
  rest: number[]; // where they are at rest, in the body frame
  triangles: number[];
  closed: boolean;
}

export interface JointEnd {
  body: number;
  point: Vector;
  axis: Vector;
}

export interface Joint {
  name: string;
  type: string;
  has_axis: boolean;
  ends: JointEnd[];
}

export interface Spring {
  ends: { body: number; point: Vector }[];
  length: number;
}

export interface Material {
  name: string;
  density: number;
  friction: number;
  friction_dynamic: number;
  restitution: number;
}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export interface Header {
  format: string;
  version: number;
  program: string;
  status: string;
  scene: { name: string; text: string; hash: string };
  gravity: Vector;
  origin: Vector;
  settings: { [key: string]: Json };
  summary: { [key: string]: Json } | null;
  materials: Material[];
  bodies: Body[];
  moving: number[];
  joints: Joint[];
  springs: Spring[];
  recorded: { frames: number; events: number };
  event_frames: boolean;
  thinning: string[];
}
