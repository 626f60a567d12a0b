// Pictures of three scenes beside the reference: another browser or graphics card rounds otherwise, a
// missing shadow or a wrong colour is more.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folder, program, scenes } from "./support.mjs";

const size = { width: 320, height: 200 };
/// Mean difference of a colour channel, of 255.
const meanTolerance = 3;
/// Part of all pixels that may differ by more than a quarter of the range: edges that lie half a pixel off.
const edgeTolerance = 0.02;

const shown = "edges,forces,joints";

/// Drawn by a page that is open.
export async function drawHere(page, time) {
  await page.setViewportSize(size);
  await page.evaluate(([list, t]) => abut.pose({ dark: false, show: list, time: t }), [shown, time]);
  return page.screenshot();
}

/// Drawn by the program.
export function drawByProgram(directory, time) {
  const options = ["--time", time, "--show", shown, "--width", size.width, "--height", size.height, "--meshes", scenes];
  execFileSync(program, ["export", directory, "--to", "png", ...options.map(String)]);
  return readFileSync(join(directory, "run.png"));
}

/// A film of a second, two pictures a second, by a stand-in for ffmpeg that keeps what it is given.
export function checkFilm(directory) {
  const tools = join(folder, "tools");
  mkdirSync(tools, { recursive: true });
  writeFileSync(join(tools, "ffmpeg"), '#!/bin/sh\nfor last; do :; done\nexec cat > "$last"\n', { mode: 0o755 });
  const env = { ...process.env, PATH: `${tools}:${process.env.PATH}` };
  execFileSync(program, ["export", directory, "--to", "mp4", "--rate", "2", "--width", "320", "--height", "200"], { env });
  const film = readFileSync(join(directory, "run.mp4")).toString("latin1");
  assert.equal(film.split("\x89PNG\r\n").length - 1, 3);
  assert.ok(!existsSync(join(directory, "run.mp4.partial")));
}

/// `page` is any page: it compares.
export async function checkPicture(page, name, picture) {
  const reference = new URL(`reference/${name}.png`, import.meta.url);
  if (process.env.ABUT_UPDATE_PICTURES) writeFileSync(reference, picture);
  assert.ok(existsSync(reference), "there is a reference");
  const { mean, far } = await page.evaluate(compare, [picture.toString("base64"), readFileSync(reference).toString("base64")]);
  writeFileSync(join(folder, `${name}.png`), picture);
  assert.ok(mean <= meanTolerance && far <= edgeTolerance, `mean difference ${mean}, ${100 * far} % far off; see ${folder}/${name}.png`);
}

/// In the browser, which can read PNG.
async function compare(pictures) {
  const [a, b] = await Promise.all(
    pictures.map(async (text) => {
      const image = new Image();
      image.src = `data:image/png;base64,${text}`;
      await image.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height).data;
    }),
  );
  if (a.length !== b.length) return { mean: 255, far: 1 };
  let sum = 0;
  let far = 0;
  for (let i = 0; i < a.length; i += 4) {
    const differences = [0, 1, 2].map((k) => Math.abs(a[i + k] - b[i + k]));
    sum += differences[0] + differences[1] + differences[2];
    if (Math.max(...differences) > 64) ++far;
  }
  return { mean: sum / (0.75 * a.length), far: far / (a.length / 4) };
}
