// Camera, light and canvas.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Space } from "./space";

const fieldOfView = 35;

export interface Theme {
  dark: boolean;
}

export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(fieldOfView, 1, 0.001, 200);
  readonly renderer: THREE.WebGLRenderer;
  readonly controls: OrbitControls;
  readonly up = new THREE.Vector3(0, 0, 1);
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.1);
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0x9aa2ac, 1.7);
  private readonly fill = new THREE.DirectionalLight(0xeef3ff, 0.9);
  private readonly followed = new THREE.Vector3();
  private following = false;
  onChange: () => void = () => {};

  constructor(readonly element: HTMLElement, readonly space: Space, gravity: number[]) {
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false; // they change when bodies move, not with the camera
    this.renderer.debug.checkShaderErrors = false; // waiting for the compiler takes long
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    element.append(this.renderer.domElement);
    const g = new THREE.Vector3().fromArray(gravity);
    if (g.length() > 0) this.up.copy(g).normalize().negate();
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.controls.minDistance = 1e-4;
    this.controls.maxDistance = 60;
    this.controls.addEventListener("change", () => this.onChange());
    this.addLights();
    this.frameAll();
    new ResizeObserver(() => this.resize()).observe(element);
    this.resize();
  }

  private addLights(): void {
    const centre = this.space.box.getCenter(new THREE.Vector3());
    const [east, north] = horizontal(this.up);
    const place = (e: number, n: number, u: number) =>
      centre.clone().addScaledVector(east, e).addScaledVector(north, n).addScaledVector(this.up, u);
    this.sun.position.copy(place(-1.3, -2.5, 3.6));
    this.sun.target.position.copy(centre);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 4;
    this.sun.shadow.normalBias = 0.004;
    this.sun.shadow.bias = -0.0004;
    const reach = 2.2;
    Object.assign(this.sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1, far: 14 });
    this.fill.position.copy(place(3, -0.6, 1.2));
    this.fill.target.position.copy(centre);
    this.sky.position.copy(this.up);
    this.scene.add(this.sun, this.sun.target, this.sky, this.fill, this.fill.target);
  }

  /// From the front, a little from the right and from above, with everything in the picture.
  frameAll(box = this.space.box, azimuth = -0.55, elevation = 0.36): void {
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const [east, north] = horizontal(this.up);
    const direction = new THREE.Vector3()
      .addScaledVector(north, -Math.cos(azimuth) * Math.cos(elevation))
      .addScaledVector(east, -Math.sin(azimuth) * Math.cos(elevation))
      .addScaledVector(this.up, Math.sin(elevation));
    this.camera.position.copy(sphere.center).addScaledVector(direction, 10);
    this.camera.up.copy(this.up);
    this.camera.lookAt(sphere.center);
    this.camera.updateMatrixWorld();
    const distance = this.distanceToFit(box, sphere.center, direction);
    this.camera.position.copy(sphere.center).addScaledVector(direction, distance);
    this.controls.target.copy(sphere.center);
    this.controls.update();
    this.onChange();
  }

  /// The least distance from which all corners of the box are seen, with a margin.
  private distanceToFit({ min, max }: THREE.Box3, centre: THREE.Vector3, direction: THREE.Vector3): number {
    const tanY = Math.tan((this.camera.fov / 2) * (Math.PI / 180)) * 0.86;
    const tanX = tanY * this.camera.aspect;
    const right = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const above = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    let distance = 0.01;
    for (let i = 0; i < 8; ++i) {
      const corner = new THREE.Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z).sub(centre);
      const depth = corner.dot(direction);
      distance = Math.max(distance, depth + Math.abs(corner.dot(right)) / tanX, depth + Math.abs(corner.dot(above)) / tanY);
    }
    return distance;
  }

  /// Keeps the camera at the same place relative to a point that moves.
  follow(point: THREE.Vector3 | null): void {
    if (point && this.following) {
      const step = point.clone().sub(this.followed);
      this.camera.position.add(step);
      this.controls.target.add(step);
      this.camera.updateMatrixWorld();
    }
    this.following = point !== null;
    if (point) this.followed.copy(point);
  }

  lookAt(point: THREE.Vector3): void {
    const step = point.clone().sub(this.controls.target);
    this.camera.position.add(step);
    this.controls.target.copy(point);
    this.controls.update();
  }

  setTheme(theme: Theme): void {
    this.sky.intensity = theme.dark ? 1.2 : 1.7;
    this.sky.groundColor.set(theme.dark ? 0x3a4048 : 0x9098a4);
    this.sun.intensity = theme.dark ? 1.9 : 2.1;
    this.onChange();
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    const known = this.renderer.getSize(new THREE.Vector2());
    if (width === 0 || height === 0 || (known.x === width && known.y === height)) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.onChange();
  }

  /// How large a drawn unit is on the screen at the point that the camera turns about.
  pixelsPerUnit(): number {
    const distance = this.camera.position.distanceTo(this.controls.target);
    return this.element.clientHeight / (2 * Math.tan((this.camera.fov / 2) * (Math.PI / 180)) * distance);
  }

  /// Waits until what was asked for is drawn, without holding anything up.
  async whenDrawn(): Promise<void> {
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    const drawn = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (!drawn) return; // the graphics are lost
    gl.flush();
    while (gl.clientWaitSync(drawn, 0, 0) === gl.TIMEOUT_EXPIRED) await new Promise(requestAnimationFrame);
    gl.deleteSync(drawn);
  }

  bodiesMoved(): void {
    this.renderer.shadowMap.needsUpdate = true;
  }

  render(): void {
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = Math.max(distance / 200, 1e-5);
    this.camera.far = distance + 60;
    this.camera.updateProjectionMatrix();
    this.renderer.render(this.scene, this.camera);
  }
}

/// Two directions that are level, the first to the right as seen along the second.
export function horizontal(up: THREE.Vector3): [THREE.Vector3, THREE.Vector3] {
  const guess = Math.abs(up.x) < 0.9 ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 1, 0);
  const east = guess.addScaledVector(up, -guess.dot(up)).normalize();
  return [east, new THREE.Vector3().crossVectors(up, east)];
}
