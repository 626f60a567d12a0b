// Arrows, dots and lines over the bodies. What a body hides still shows faintly.

import * as THREE from "three";

const faint = 0.28;

/// Any number of copies of a shape: once in front, once faintly through everything.
class Copies {
  readonly group = new THREE.Group();
  private front: THREE.InstancedMesh;
  private behind: THREE.InstancedMesh;
  private capacity = 0;
  count = 0;

  constructor(private readonly geometry: THREE.BufferGeometry, private readonly color: string, private readonly through: number) {
    [this.front, this.behind] = this.make(16);
  }

  private make(capacity: number): [THREE.InstancedMesh, THREE.InstancedMesh] {
    this.capacity = capacity;
    this.group.clear();
    const front = new THREE.InstancedMesh(this.geometry, new THREE.MeshBasicMaterial({ color: this.color }), capacity);
    const behind = new THREE.InstancedMesh(
      this.geometry,
      new THREE.MeshBasicMaterial({ color: this.color, depthTest: false, depthWrite: false, transparent: true, opacity: this.through }),
      capacity,
    );
    behind.instanceMatrix = front.instanceMatrix;
    behind.renderOrder = 5;
    for (const mesh of [front, behind]) {
      mesh.frustumCulled = false;
      this.group.add(mesh);
    }
    return [front, behind];
  }

  begin(most: number): void {
    if (most > this.capacity) [this.front, this.behind] = this.make(Math.ceil(1.5 * most));
    this.count = 0;
  }
  add(matrix: THREE.Matrix4): void {
    this.front.setMatrixAt(this.count++, matrix);
  }
  end(): void {
    this.front.count = this.behind.count = this.count;
    this.group.visible = this.count > 0; // what is not drawn needs no shader
    this.front.instanceMatrix.needsUpdate = true;
  }
}

export class Dots {
  private readonly copies: Copies;
  readonly group: THREE.Group;
  private readonly matrix = new THREE.Matrix4();

  constructor(color: string) {
    this.copies = new Copies(new THREE.SphereGeometry(1, 16, 12), color, faint);
    this.group = this.copies.group;
  }
  begin(most: number): void {
    this.copies.begin(most);
  }
  add(p: THREE.Vector3, radius: number): void {
    this.copies.add(this.matrix.makeScale(radius, radius, radius).setPosition(p));
  }
  end(): void {
    this.copies.end();
  }
}

/// Arrows along y in their own frame: a shaft that is stretched and a head that is not.
export class Arrows {
  readonly group = new THREE.Group();
  private readonly shafts: Copies;
  private readonly heads: Copies;
  private readonly turn = new THREE.Quaternion();
  private readonly direction = new THREE.Vector3();
  private readonly place = new THREE.Vector3();
  private readonly size = new THREE.Vector3();
  private readonly matrix = new THREE.Matrix4();
  private static readonly y = new THREE.Vector3(0, 1, 0);

  /// `through`: how much is seen of arrows inside bodies.
  constructor(color: string, through = faint) {
    const shaft = new THREE.CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0);
    const head = new THREE.ConeGeometry(1, 1, 18).translate(0, 0.5, 0);
    this.shafts = new Copies(shaft, color, through);
    this.heads = new Copies(head, color, through);
    this.group.add(this.shafts.group, this.heads.group);
  }
  begin(most: number): void {
    this.shafts.begin(most);
    this.heads.begin(most);
  }
  /// From `from`, with this direction and length; `width` of the shaft.
  add(from: THREE.Vector3, along: THREE.Vector3, width: number): void {
    const length = along.length();
    if (!(length > 0)) return;
    this.direction.copy(along).divideScalar(length);
    this.turn.setFromUnitVectors(Arrows.y, this.direction);
    const head = Math.min(6 * width, 0.6 * length);
    const shaft = length - head;
    this.shafts.add(this.matrix.compose(from, this.turn, this.size.set(width, shaft, width)));
    this.place.copy(from).addScaledVector(this.direction, shaft);
    this.heads.add(this.matrix.compose(this.place, this.turn, this.size.set(0.42 * head, head, 0.42 * head)));
  }
  end(): void {
    this.shafts.end();
    this.heads.end();
  }
}

/// Line segments that are set anew for every picture.
export class Segments {
  readonly group = new THREE.Group();
  private points: number[] = [];
  private readonly geometry = new THREE.BufferGeometry();

  constructor(color: string, hiddenToo = true) {
    const front = new THREE.LineSegments(this.geometry, new THREE.LineBasicMaterial({ color }));
    front.frustumCulled = false;
    this.group.add(front);
    if (!hiddenToo) return;
    const behind = new THREE.LineSegments(
      this.geometry,
      new THREE.LineBasicMaterial({ color, depthTest: false, transparent: true, opacity: faint }),
    );
    behind.frustumCulled = false;
    behind.renderOrder = 5;
    this.group.add(behind);
  }
  begin(): void {
    this.points = [];
  }
  add(a: THREE.Vector3, b: THREE.Vector3): void {
    this.points.push(a.x, a.y, a.z, b.x, b.y, b.z);
  }
  end(): void {
    this.group.visible = this.points.length > 0;
    if (this.points.length > 0) this.geometry.setAttribute("position", new THREE.Float32BufferAttribute(this.points, 3));
  }
}
