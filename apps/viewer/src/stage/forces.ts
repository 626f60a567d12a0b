// How long the arrows of forces are. Contacts and joints share one scale.

import { Vector3 } from "three";
import type { Contact } from "../data/frames";
import type { Run } from "../data/run";

/// Length of the arrow of a typical large force, drawn units.
export const forceLength = 0.2;
/// No arrow is longer, however large its force: it would leave the picture.
const longestArrow = 0.8;
/// Frames that are looked at to find a typical large force.
const looks = 60;

/// The force on the first body.
export function forceOn(contact: Contact): Vector3 {
  return new Vector3(...contact.normal).multiplyScalar(contact.normalForce).add(new Vector3(...contact.friction));
}

/// Nine tenths of all recorded forces are smaller, N.
export function typicalForce(run: Run): number {
  const sizes: number[] = [];
  const n = run.frames.count;
  for (let i = 0; i < looks && n > 0; ++i) {
    const frame = Math.floor((i * (n - 1)) / (looks - 1));
    for (const contact of run.frames.contacts(frame)) sizes.push(forceOn(contact).length());
    for (const load of run.frames.jointLoads(frame)) if (!load.impulse) sizes.push(Math.hypot(...load.force));
  }
  if (n === 0) return 2 * meanWeight(run);
  sizes.sort((a, b) => a - b);
  return sizes.length > 0 ? sizes[Math.floor(0.9 * (sizes.length - 1))] : 0;
}

/// For a run that has not begun: what its bodies weigh, or would on Earth, N.
function meanWeight(run: Run): number {
  const masses = run.header.bodies.filter((body) => body.motion === "dynamic").map((body) => body.mass);
  const gravity = Math.hypot(...run.header.gravity) || 9.81;
  return masses.length > 0 ? (gravity * masses.reduce((sum, m) => sum + m, 0)) / masses.length : 0;
}

/// The arrow of a force, drawn units. `stretch` is the user's.
export function arrowOf(force: Vector3, reference: number, stretch: number): Vector3 {
  const scale = reference > 0 ? (stretch * forceLength) / reference : 0;
  return force.multiplyScalar(scale).clampLength(0, longestArrow);
}
