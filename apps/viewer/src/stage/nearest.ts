// The nearest points of two convex solids given by their vertices, or of one and a plane, after
// Gilbert, Johnson and Keerthi (1988): the point of the difference set nearest to the origin, closed in
// on by simplices. Good to what the drawn shapes are good to.

import * as THREE from "three";

export type Solid = { vertices: Float32Array; place: THREE.Matrix4 } | { plane: THREE.Plane };

export interface Nearest {
  a: THREE.Vector3;
  b: THREE.Vector3;
  distance: number;
}

const mostRounds = 60;
/// Progress below which the distance is found, as a part of it.
const enough = 1e-6;

interface Corner {
  w: THREE.Vector3; // a - b
  a: THREE.Vector3;
  b: THREE.Vector3;
}

type Hull = { vertices: Float32Array; place: THREE.Matrix4 };

/// The vertex farthest along a direction.
function support({ vertices, place }: Hull, direction: THREE.Vector3): THREE.Vector3 {
  const e = place.elements;
  const [x, y, z] = [0, 4, 8].map((k) => e[k] * direction.x + e[k + 1] * direction.y + e[k + 2] * direction.z);
  let best = 0;
  let most = -Infinity;
  for (let i = 0; i < vertices.length; i += 3) {
    const along = vertices[i] * x + vertices[i + 1] * y + vertices[i + 2] * z;
    if (along > most) [best, most] = [i, along];
  }
  return new THREE.Vector3().fromArray(vertices, best).applyMatrix4(place);
}

export function nearest(a: Solid, b: Solid): Nearest | null {
  if ("plane" in a && "plane" in b) return null;
  if ("plane" in a) {
    const found = nearest(b, a);
    return found && { a: found.b, b: found.a, distance: found.distance };
  }
  if ("plane" in b) {
    const p = support(a, b.plane.normal.clone().negate());
    const distance = b.plane.distanceToPoint(p);
    return distance > 0 ? { a: p, b: p.clone().addScaledVector(b.plane.normal, -distance), distance } : null;
  }
  return nearestOfHulls(a, b);
}

function nearestOfHulls(a: Hull, b: Hull): Nearest | null {
  const corner = (direction: THREE.Vector3): Corner => {
    const [p, q] = [support(a, direction), support(b, direction.clone().negate())];
    return { w: p.clone().sub(q), a: p, b: q };
  };
  let simplex = [corner(new THREE.Vector3(1, 0, 0))];
  let weights = [1];
  let v = simplex[0].w.clone();
  for (let round = 0; round < mostRounds; ++round) {
    if (v.lengthSq() === 0) return null;
    const next = corner(v.clone().negate());
    if (v.lengthSq() - v.dot(next.w) <= enough * v.lengthSq()) break;
    if (simplex.some((one) => one.w.equals(next.w))) break;
    const found = closest([...simplex, next]);
    if (!found || found.corners.length === 4) return null; // they overlap
    [simplex, weights, v] = [found.corners, found.weights, found.point];
  }
  const mixed = (side: "a" | "b") => simplex.reduce((sum, one, i) => sum.addScaledVector(one[side], weights[i]), new THREE.Vector3());
  return { a: mixed("a"), b: mixed("b"), distance: v.length() };
}

/// The point of a simplex nearest to the origin: the nearest over all of its faces whose own nearest
/// point lies within them.
function closest(corners: Corner[]): { corners: Corner[]; weights: number[]; point: THREE.Vector3 } | null {
  let best: { corners: Corner[]; weights: number[]; point: THREE.Vector3 } | null = null;
  for (let subset = 1; subset < 1 << corners.length; ++subset) {
    const chosen = corners.filter((_, i) => subset & (1 << i));
    const weights = weightsOf(chosen.map((one) => one.w));
    if (!weights || weights.some((x) => x < 0)) continue;
    const point = chosen.reduce((sum, one, i) => sum.addScaledVector(one.w, weights[i]), new THREE.Vector3());
    if (!best || point.lengthSq() < best.point.lengthSq()) best = { corners: chosen, weights, point };
  }
  return best;
}

/// Weights with sum 1 of the point nearest to the origin in the plane of some points: with p the first
/// and d_k the others less p, the least squares (d_i . d_k) x = -(d_i . p), by elimination.
function weightsOf(points: THREE.Vector3[]): number[] | null {
  const [first, ...others] = points;
  const d = others.map((q) => q.clone().sub(first));
  const rows = d.map((u) => [...d.map((v) => u.dot(v)), -u.dot(first)]);
  const n = d.length;
  for (let i = 0; i < n; ++i) {
    const pivot = rows[i][i];
    if (!(pivot > 1e-14 * d[i].lengthSq())) return null; // they lie on a line, or in a plane
    for (let j = 0; j < n; ++j) {
      if (j === i) continue;
      const factor = rows[j][i] / pivot;
      for (let k = i; k <= n; ++k) rows[j][k] -= factor * rows[i][k];
    }
  }
  const x = rows.map((row, i) => row[n] / row[i]);
  return [1 - x.reduce((sum, y) => sum + y, 0), ...x];
}
