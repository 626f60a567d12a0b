// The bodies: one draw call for all parts that share a mesh, whatever their number.

import * as THREE from "three";
import type { Snapshot } from "../data/frames";
import type { Quaternion as QuaternionList, Vector } from "../data/header";
import type { Run } from "../data/run";
import type { Space } from "./space";
import type { Theme } from "./stage";

const edgeVertexShader = /* glsl */ `
  attribute mat4 pose;
  void main() {
    gl_Position = projectionMatrix * modelViewMatrix * pose * vec4(position, 1.0);
  }`;
const edgeFragmentShader = /* glsl */ `
  uniform vec3 color;
  uniform float alpha;
  void main() { gl_FragColor = vec4(color, alpha); }`;

interface Instance {
  body: number;
  local: THREE.Matrix4; // part to body, metres, with the scale of the mesh
}

interface Bent {
  body: number;
  mesh: THREE.Mesh;
  first: number; // of its numbers in the snapshot
}

interface Batch {
  mesh: THREE.InstancedMesh;
  edges: THREE.LineSegments | null;
  instances: Instance[];
  inverted: boolean; // a bowl, seen from inside
}

export function matrixOf(position: Vector, [w, x, y, z]: QuaternionList, scale: Vector): THREE.Matrix4 {
  return new THREE.Matrix4().compose(
    new THREE.Vector3(...position),
    new THREE.Quaternion(x, y, z, w),
    new THREE.Vector3(...scale),
  );
}

/// Boxes of the bodies in their own frames, metres; empty for planes.
export function localBoxes(run: Run): THREE.Box3[] {
  const meshBoxes = run.meshes.map((mesh) => new THREE.Box3().setFromArray(mesh.vertices));
  return run.header.bodies.map((body) => {
    const box = new THREE.Box3();
    if (body.surface) box.setFromArray(body.surface.rest);
    for (const part of body.parts) {
      if (part.mesh === undefined) continue;
      box.union(meshBoxes[part.mesh].clone().applyMatrix4(matrixOf(part.position, part.orientation, part.scale!)));
    }
    return box;
  });
}

export class Bodies {
  readonly group = new THREE.Group();
  readonly colors: THREE.Color[];
  private readonly batches: Batch[] = [];
  private readonly bent: Bent[] = [];
  private readonly edgeMaterial = new THREE.ShaderMaterial({
    vertexShader: edgeVertexShader,
    fragmentShader: edgeFragmentShader,
    transparent: true,
    depthWrite: false,
    uniforms: { color: { value: new THREE.Color() }, alpha: { value: 0.6 } },
  });
  private readonly surfaces: THREE.MeshPhongMaterial[] = [];
  readonly hidden = new Set<number>();
  private selected = -1;

  constructor(run: Run, private readonly space: Space) {
    this.colors = run.header.bodies.map((body) => new THREE.Color().setRGB(...body.color, THREE.SRGBColorSpace));
    const groups = new Map<string, Instance[]>();
    run.header.bodies.forEach((body, index) => {
      for (const part of body.parts) {
        if (part.mesh === undefined) continue;
        const key = `${part.mesh} ${part.inverted ?? false}`;
        const local = matrixOf(part.position, part.orientation, part.scale!);
        groups.set(key, [...(groups.get(key) ?? []), { body: index, local }]);
      }
    });
    run.header.bodies.forEach((_, index) => this.addBent(run, index));
    for (const [key, instances] of groups) {
      const [mesh, inverted] = key.split(" ");
      this.addBatch(run, Number(mesh), inverted === "true", instances);
    }
  }

  /// A body that bends has a mesh of its own, whose vertices move.
  private addBent(run: Run, body: number): void {
    const surface = run.header.bodies[body].surface;
    if (!surface) return;
    const geometry = new THREE.BufferGeometry();
    const places = new THREE.BufferAttribute(new Float32Array(surface.rest.length), 3);
    places.setUsage(THREE.DynamicDrawUsage);
    geometry.setAttribute("position", places);
    geometry.setIndex(surface.triangles);
    const material = new THREE.MeshPhongMaterial({
      color: this.colors[body],
      specular: 0x1c1c1c,
      shininess: 30,
      side: surface.closed ? THREE.FrontSide : THREE.DoubleSide,
      flatShading: surface.closed,
    });
    this.surfaces.push(material);
    const mesh = new THREE.Mesh(geometry, material);
    mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    this.group.add(mesh);
    this.bent.push({ body, mesh, first: 3 * surface.first });
  }

  private updateBent(snapshot: Snapshot): void {
    for (const { body, mesh, first } of this.bent) {
      mesh.visible = !this.hidden.has(body);
      const places = mesh.geometry.getAttribute("position") as THREE.BufferAttribute;
      const numbers = places.array as Float32Array;
      for (let k = 0; k < numbers.length; ++k) numbers[k] = snapshot.surface[first + k] / this.space.unit;
      places.needsUpdate = true;
      mesh.geometry.computeVertexNormals();
      mesh.geometry.computeBoundingSphere();
    }
  }

  private addBatch(run: Run, index: number, inverted: boolean, instances: Instance[]): void {
    const source = run.meshes[index];
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(source.vertices, 3));
    geometry.setAttribute("normal", new THREE.BufferAttribute(source.normals, 3));
    geometry.setIndex(new THREE.BufferAttribute(source.triangles, 1));
    const material = new THREE.MeshPhongMaterial({
      specular: 0x1c1c1c,
      shininess: 30,
      // Surfaces give way to the edges that lie in them.
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 2,
    });
    if (inverted) {
      // A bowl is seen from inside.
      material.side = THREE.BackSide;
      material.transparent = true;
      material.opacity = 0.55;
      material.depthWrite = false;
    }
    this.surfaces.push(material);
    const mesh = new THREE.InstancedMesh(geometry, material, instances.length);
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.castShadow = false; // see castShadows
    mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    mesh.userData.bodies = instances.map((instance) => instance.body);
    instances.forEach((instance, i) => mesh.setColorAt(i, this.colors[instance.body]));
    const edges = source.edges.length > 0 && !inverted ? this.edgesOf(source.edges, mesh) : null;
    this.group.add(mesh);
    if (edges) this.group.add(edges);
    this.batches.push({ mesh, edges, instances, inverted });
  }

  private edgesOf(points: Float32Array, mesh: THREE.InstancedMesh): THREE.LineSegments {
    const geometry = new THREE.InstancedBufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
    geometry.setAttribute("pose", mesh.instanceMatrix);
    geometry.instanceCount = mesh.count;
    const lines = new THREE.LineSegments(geometry, this.edgeMaterial);
    lines.frustumCulled = false;
    return lines;
  }

  update(snapshot: Snapshot): void {
    this.updateBent(snapshot);
    const toWorld = new THREE.Matrix4();
    const position = new THREE.Vector3();
    const orientation = new THREE.Quaternion();
    const scale = new THREE.Vector3().setScalar(1 / this.space.unit);
    const nothing = new THREE.Matrix4().makeScale(0, 0, 0);
    const matrix = new THREE.Matrix4();
    for (const { mesh, instances } of this.batches) {
      instances.forEach((instance, i) => {
        if (this.hidden.has(instance.body)) {
          mesh.setMatrixAt(i, nothing);
          return;
        }
        this.space.position(snapshot, instance.body, position);
        this.space.orientation(snapshot, instance.body, orientation);
        toWorld.compose(position, orientation, scale);
        mesh.setMatrixAt(i, matrix.multiplyMatrices(toWorld, instance.local));
      });
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null; // or picking would use the old places
    }
  }

  select(body: number): void {
    if (body === this.selected) return;
    this.selected = body;
    const white = new THREE.Color(1, 1, 1);
    for (const { mesh, instances } of this.batches) {
      instances.forEach((instance, i) => {
        const color = this.colors[instance.body].clone();
        mesh.setColorAt(i, instance.body === body ? color.lerp(white, 0.45) : color);
      });
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
    for (const bent of this.bent) {
      const color = this.colors[bent.body].clone();
      (bent.mesh.material as THREE.MeshPhongMaterial).color = bent.body === body ? color.lerp(white, 0.45) : color;
    }
  }

  /// The body that a ray meets first, or -1.
  pick(ray: THREE.Raycaster): { body: number; point: THREE.Vector3 } | null {
    const solids: THREE.Object3D[] = this.batches.filter((b) => !b.inverted).map((b) => b.mesh);
    const hits = ray.intersectObjects(solids.concat(this.bent.map((b) => b.mesh)), false);
    const hit = hits[0];
    const bent = this.bent.find((b) => b.mesh === hit?.object);
    if (bent) return { body: bent.body, point: hit.point };
    if (!hit || hit.instanceId === undefined) return null;
    return { body: hit.object.userData.bodies[hit.instanceId], point: hit.point };
  }

  setTransparent(transparent: boolean): void {
    for (const material of this.surfaces) {
      if (material.side === THREE.BackSide) continue;
      material.transparent = transparent;
      material.opacity = transparent ? 0.35 : 1;
      material.depthWrite = !transparent;
      material.needsUpdate = true;
    }
  }

  castShadows(): void {
    for (const { mesh, inverted } of this.batches) mesh.castShadow = !inverted;
    for (const { mesh } of this.bent) mesh.castShadow = true;
  }

  setEdges(visible: boolean): void {
    for (const { edges } of this.batches) if (edges) edges.visible = visible;
  }

  setTheme(theme: Theme): void {
    this.edgeMaterial.uniforms.color.value.set(theme.dark ? 0x05080c : 0x10161c);
    this.edgeMaterial.uniforms.alpha.value = theme.dark ? 0.75 : 0.6;
  }
}
