// Run by bench/report.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startBrowser } from "../tests/viewer/support.mjs";

const [program, folder] = process.argv.slice(2);
const shapes = [
  "sphere: {radius: 0.1}",
  "box: {size: [0.2, 0.15, 0.1]}",
  "capsule: {radius: 0.06, height: 0.1}",
  "ellipsoid: {radii: [0.1, 0.07, 0.12]}",
];

/// Thrown up so that they tumble through the air for nine seconds and land one by one.
function scene() {
  const bodies = ["  - {name: floor, motion: fixed, shape: {plane: {}}, material: soft}"];
  for (let i = 0; i < 1000; ++i) {
    const spread = (k) => (0.618033988749895 * (i + 1) * k) % 1;
    const spin = [1, 2, 3].map((k) => (10 * spread(k) - 5).toFixed(3)).join(", ");
    bodies.push(
      `  - {name: b${i}, material: soft, shape: {${shapes[i % 4]}}, angular_velocity: [${spin}], ` +
        `position: [${0.5 * (i % 32)}, ${0.5 * Math.floor(i / 32)}, 2], velocity: [0, 0, ${40 + 10 * spread(5)}]}`,
    );
  }
  return `abut: 1\nname: A thousand bodies\nduration: 10\nrecord: {rate: 60}\nmaterials: {soft: {restitution: 0}}\nbodies:\n${bodies.join("\n")}\n`;
}

mkdirSync(folder, { recursive: true });
const file = join(folder, "bodies.yaml"), out = join(folder, "out");
writeFileSync(file, scene());
execFileSync(program, ["run", file, "-o", out, "--quiet"]);
console.log(`report.html: ${(statSync(join(out, "report.html")).size / 1e6).toFixed(1)} MB`);
const browser = await startBrowser();
for (let i = 0; i < 3; ++i) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`file://${out}/report.html`);
  await page.evaluate(() => window.abutReady);
  await page.waitForFunction(() => performance.getEntriesByName("first picture").length > 0);
  const drawn = await page.evaluate(() => performance.getEntriesByName("first picture")[0].startTime);
  console.log(`first picture after ${(drawn / 1000).toFixed(2)} s`);
  await page.close();
}
await browser.close();
rmSync(folder, { recursive: true });
