// Planes, and the grid on them. A plane has no end; what is drawn of it fades out.

import * as THREE from "three";
import type { Header } from "../data/header";
import type { Space } from "./space";
import type { Theme } from "./stage";

const reach = 14; // of what is drawn of a plane, drawn units

const vertexShader = /* glsl */ `
  varying vec2 place;
  void main() {
    place = position.xy;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

// Lines one pixel wide at any distance; each fades where it is too dense to be told from the next.
const fragmentShader = /* glsl */ `
  varying vec2 place;
  uniform vec3 fillColor, lineColor;
  uniform float fillAlpha, lineAlpha, spacing, reach;
  float lines(vec2 p, float step) {
    vec2 q = p / step;
    vec2 w = fwidth(q);
    vec2 d = abs(fract(q - 0.5) - 0.5) / max(w, vec2(1e-6));
    vec2 visible = 1.0 - smoothstep(vec2(0.1), vec2(0.5), w);
    vec2 a = (1.0 - min(d, 1.0)) * visible;
    return max(a.x, a.y);
  }
  void main() {
    float fade = 1.0 - smoothstep(0.08, 1.0, length(place) / reach);
    float line = max(0.45 * lines(place, spacing), lines(place, 5.0 * spacing)) * lineAlpha;
    float alpha = max(line, fillAlpha) * fade * fade;
    gl_FragColor = vec4(mix(fillColor, lineColor, line / max(max(line, fillAlpha), 1e-4)), alpha);
    #include <colorspace_fragment>
  }`;

/// 1, 2 or 5 times a power of ten.
export function roundNumber(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  const digit = x / power;
  return (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10) * power;
}

export class Ground {
  readonly group = new THREE.Group();
  private readonly shaded = new THREE.Group(); // shadows on the planes
  readonly spacing: number; // metres between two lines
  private readonly materials: THREE.ShaderMaterial[] = [];
  private readonly shadows: THREE.ShadowMaterial[] = [];
  private readonly planes = new Map<number, THREE.Object3D[]>(); // by body

  constructor(header: Header, private readonly space: Space, up: THREE.Vector3) {
    this.spacing = roundNumber(space.unit / 6);
    this.shaded.visible = false; // see castShadows
    this.group.add(this.shaded);
    let found = false;
    header.bodies.forEach((body, index) => {
      for (const part of body.parts) {
        if (!part.normal) continue;
        found = true;
        const pose = new THREE.Quaternion(body.orientation[1], body.orientation[2], body.orientation[3], body.orientation[0]);
        const partPose = new THREE.Quaternion(part.orientation[1], part.orientation[2], part.orientation[3], part.orientation[0]);
        const normal = new THREE.Vector3(...part.normal).applyQuaternion(partPose).applyQuaternion(pose);
        const point = new THREE.Vector3(...part.normal).multiplyScalar(part.offset ?? 0).applyQuaternion(partPose);
        point.add(new THREE.Vector3(...part.position)).applyQuaternion(pose).add(new THREE.Vector3(...body.position));
        const objects = this.addPlane(normal, space.worldPoint(point.toArray(), new THREE.Vector3()), true);
        this.planes.set(index, [...(this.planes.get(index) ?? []), ...objects]);
      }
    });
    // Without any plane a faint grid under the bodies helps to see how they lie in space.
    if (!found) {
      const centre = space.box.getCenter(new THREE.Vector3());
      const low = Math.min(...[space.box.min, space.box.max].map((p) => p.dot(up)));
      this.addPlane(up, centre.addScaledVector(up, low - 0.02 - centre.dot(up)), false);
    }
  }

  private addPlane(normal: THREE.Vector3, point: THREE.Vector3, solid: boolean): THREE.Object3D[] {
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
    // The middle of what is drawn is where the bodies are; lines stay on round coordinates.
    const centre = this.space.box.getCenter(new THREE.Vector3());
    const foot = centre.clone().addScaledVector(normal, point.clone().sub(centre).dot(normal));
    const step = (5 * this.spacing) / this.space.unit;
    const world = this.space.worldPoint([0, 0, 0], new THREE.Vector3());
    const local = foot.clone().sub(world).applyQuaternion(turn.clone().invert());
    local.x = Math.round(local.x / step) * step;
    local.y = Math.round(local.y / step) * step;
    foot.copy(local.applyQuaternion(turn).add(world));
    const geometry = new THREE.CircleGeometry(reach, 96);
    const material = new THREE.ShaderMaterial({
      vertexShader,
      fragmentShader,
      transparent: true,
      depthWrite: false,
      side: solid ? THREE.FrontSide : THREE.DoubleSide,
      uniforms: {
        fillColor: { value: new THREE.Color() },
        lineColor: { value: new THREE.Color() },
        fillAlpha: { value: solid ? 0.55 : 0 },
        lineAlpha: { value: solid ? 0.5 : 0.28 },
        spacing: { value: this.spacing / this.space.unit },
        reach: { value: reach },
      },
    });
    this.materials.push(material);
    const plane = new THREE.Mesh(geometry, material);
    const shadow = new THREE.ShadowMaterial({ depthWrite: false });
    this.shadows.push(shadow);
    const shadowPlane = new THREE.Mesh(geometry, shadow);
    shadowPlane.receiveShadow = true;
    plane.renderOrder = -2;
    shadowPlane.renderOrder = -1;
    const objects = solid ? [plane, shadowPlane] : [plane];
    for (const object of objects) {
      object.quaternion.copy(turn);
      object.position.copy(foot);
      (object === plane ? this.group : this.shaded).add(object);
    }
    return objects;
  }

  /// The body whose plane a ray meets, or -1.
  pick(ray: THREE.Raycaster): number {
    for (const [body, objects] of this.planes) if (objects[0].visible && ray.intersectObject(objects[0], false).length > 0) return body;
    return -1;
  }

  setVisible(body: number, visible: boolean): void {
    for (const object of this.planes.get(body) ?? []) object.visible = visible;
  }

  castShadows(): void {
    this.shaded.visible = true;
  }

  setTheme(theme: Theme): void {
    for (const material of this.materials) {
      material.uniforms.fillColor.value.set(theme.dark ? 0x30363e : 0xffffff);
      material.uniforms.lineColor.value.set(theme.dark ? 0x7b8794 : 0x55606c);
    }
    for (const shadow of this.shadows) shadow.opacity = theme.dark ? 0.5 : 0.26;
  }
}
