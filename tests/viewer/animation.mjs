// run.glb, read by another program's reader: is every body where states.csv has it?

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readCsv, viewer } from "./support.mjs";

const tolerance = 1e-5; // m; single precision over a few metres

export async function checkAnimation(directory) {
  const THREE = await import(new URL("node_modules/three/build/three.module.js", viewer));
  const { GLTFLoader } = await import(new URL("node_modules/three/examples/jsm/loaders/GLTFLoader.js", viewer));
  globalThis.self ??= globalThis;
  const file = readFileSync(join(directory, "run.glb"));
  const gltf = await new GLTFLoader().parseAsync(file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength), "");
  assert.equal(gltf.animations.length, 1);
  const [clip] = gltf.animations;
  const mixer = new THREE.AnimationMixer(gltf.scene);
  mixer.clipAction(clip).play();

  const rows = readCsv(join(directory, "states.csv"));
  const times = [...new Set(rows.map((row) => row.time))];
  assert.ok(Math.abs(clip.duration - times.at(-1)) < tolerance);
  for (const time of [times[0], times[Math.floor(times.length / 2)]]) {
    mixer.setTime(time);
    gltf.scene.updateMatrixWorld(true);
    for (const row of rows.filter((r) => r.time === time && r.body !== "floor")) {
      const node = findBody(gltf.scene, row.body, THREE);
      const place = new THREE.Vector3().setFromMatrixPosition(node.matrixWorld);
      // y is up there: (x, y, z) stands at (x, z, -y).
      const expected = [row.x, row.z, -row.y];
      place.toArray().forEach((x, k) => assert.ok(Math.abs(x - expected[k]) < tolerance, `${row.body} at ${place.toArray()}, not ${expected}`));
      const up = new THREE.Vector3(0, 0, 1).transformDirection(node.matrixWorld);
      const q = new THREE.Quaternion(row.qx, row.qy, row.qz, row.qw);
      const z = new THREE.Vector3(0, 0, 1).applyQuaternion(q);
      [z.x, z.z, -z.y].forEach((x, k) => assert.ok(Math.abs(x - up.toArray()[k]) < tolerance));
    }
  }
  let vertices = 0;
  gltf.scene.traverse((node) => (vertices += node.isMesh ? node.geometry.getAttribute("position").count : 0));
  assert.ok(vertices > 0);
}

/// The reader takes brackets and the like out of names.
function findBody(scene, name, THREE) {
  const node = scene.getObjectByName(THREE.PropertyBinding.sanitizeNodeName(name));
  assert.ok(node, `there is a node ${name}`);
  return node;
}
