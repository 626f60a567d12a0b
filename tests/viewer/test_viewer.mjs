// The report in a real browser: does it load, play, scrub, and show the numbers of the run?
//
// Usage: node test_viewer.mjs PROGRAM SCENES FOLDER
// With ABUT_UPDATE_PICTURES=1 the reference pictures are made anew; look at them before they are kept.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, finish, folder, openReport, readCsv, readSummary, shippedScene, shownNumber, simulate, startBrowser } from "./support.mjs";
import { checkAnimation } from "./animation.mjs";
import { checkFilm, checkPicture, drawByProgram, drawHere } from "./pictures.mjs";

/// Single precision, and a few roundings on the way.
const singlePrecision = 1e-6;
/// Numbers on cards have three digits or more.
const threeDigits = 5e-3;

function assertClose(found, expected, tolerance) {
  const size = Math.max(Math.abs(expected), 1);
  assert.ok(Math.abs(found - expected) <= tolerance * size, `${found} should be ${expected}`);
}

async function checkNumbers(page, directory) {
  const summary = readSummary(directory);
  const cards = { "min-gap": "min_gap", "energy-error": "energy_error", "momentum-error": "momentum_error", "lcp-residual": "lcp_residual_max" };
  for (const [id, key] of Object.entries(cards)) {
    const found = shownNumber(await page.textContent(`#${id} b`));
    assert.ok(Math.abs(found - summary[key]) <= threeDigits * Math.abs(summary[key]), `${key}: ${found}, not ${summary[key]}`);
  }
  for (const [phase, seconds] of Object.entries(summary.wall_seconds_by)) {
    const found = shownNumber(await page.textContent(`#costs [data-phase="${phase}"] td:last-child`));
    assert.ok(Math.abs(found - seconds) <= threeDigits * seconds, `${phase}: ${found}, not ${seconds}`);
  }
  assert.equal(await page.textContent("#state-hash"), summary.state_hash);
  assert.equal(await page.textContent("#status"), summary.status);
  assert.equal(await page.textContent("#title"), summary.scene);
}

async function checkPlaying(page) {
  const before = await page.evaluate(() => abut.store.time);
  await page.click("#play");
  await page.waitForFunction((start) => abut.store.time > start, before);
  await page.click("#play");
  const stopped = await page.evaluate(() => [abut.store.playing, abut.store.time]);
  assert.equal(stopped[0], false);
  await page.keyboard.press("Home");
  assert.equal(await page.evaluate(() => abut.store.time), 0);
}

/// At a recorded time every body is where states.csv has it. Only times of frames have a row of every
/// body: at the time of an event there are those of its islands.
async function checkScrubbing(page, directory) {
  const rows = readCsv(join(directory, "states.csv"));
  const bodies = new Map();
  for (const row of rows) bodies.set(row.time, (bodies.get(row.time) ?? new Set()).add(row.body));
  const times = [...bodies.keys()].filter((time) => bodies.get(time).size === bodies.get(0).size);
  for (const time of [times[0], times[Math.floor(times.length / 3)], times.at(-1)]) {
    await page.locator("#scrubber").evaluate((slider, value) => {
      slider.value = value;
      slider.dispatchEvent(new Event("input"));
    }, String(time));
    const shown = await page.evaluate(() => {
      abut.draw();
      const origin = abut.run.header.origin;
      return {
        time: abut.store.time,
        clock: document.getElementById("clock").textContent,
        bodies: abut.run.header.bodies.map((body, i) => ({
          name: body.name,
          place: [0, 1, 2].map((k) => abut.snapshot.position[3 * i + k] + origin[k]),
          turn: Array.from(abut.snapshot.orientation.slice(4 * i, 4 * i + 4)),
        })),
      };
    });
    assertClose(shown.time, time, 1e-9);
    assertClose(Number.parseFloat(shown.clock), time, 1e-3);
    for (const body of shown.bodies) {
      const row = rows.findLast((r) => r.time === time && r.body === body.name);
      [row.x, row.y, row.z].forEach((x, k) => assertClose(body.place[k], x, singlePrecision));
      [row.qx, row.qy, row.qz, row.qw].forEach((q, k) => assertClose(body.turn[k], q, singlePrecision));
    }
  }
}

async function checkEvents(page, directory) {
  const events = readCsv(join(directory, "events.csv"));
  const next = events.find((event) => event.time > 0);
  await page.keyboard.press("Home");
  await page.click('[data-tab="Events"]');
  await page.keyboard.press("Shift+ArrowRight");
  assert.equal(await page.evaluate(() => abut.store.time), next.time);
  const current = page.locator("#event-list [aria-current]");
  assert.match(await current.textContent(), new RegExp(next.kind));
  // Only impacts, and the first of them.
  for (const chip of await page.locator(".chip").all()) if ((await chip.getAttribute("data-kind")) !== "impact") await chip.click();
  const impacts = events.filter((event) => event.kind === "impact");
  const first = page.locator("#event-list .event").first();
  assert.match(await first.textContent(), /impact/);
  await first.click();
  assert.equal(await page.evaluate(() => abut.store.time), impacts[0].time);
  assert.ok((await page.textContent("#event-detail")).includes(impacts[0].body_a));
}

/// Clicks on a contact in the picture.
async function checkContact(page, directory) {
  const rows = readCsv(join(directory, "contacts.csv"));
  const time = rows.at(-1).time;
  const there = rows.filter((row) => row.time === time);
  await page.evaluate((t) => {
    abut.store.seek(t);
    abut.draw();
  }, time);
  const count = await page.evaluate(() => abut.contacts.list.length);
  assert.equal(count, there.length);
  const place = await page.evaluate(() => {
    const canvas = abut.stage.renderer.domElement.getBoundingClientRect();
    const origin = abut.run.header.origin;
    const unit = abut.stage.space.unit;
    const at = abut.contacts.list.map((contact) => {
      const p = abut.stage.camera.position.clone().set(...contact.point.map((x) => x / unit)).project(abut.stage.camera);
      return { x: canvas.left + ((p.x + 1) / 2) * canvas.width, y: canvas.top + ((1 - p.y) / 2) * canvas.height, point: contact.point.map((x, k) => x + origin[k]) };
    });
    return at[0];
  });
  await page.mouse.click(place.x, place.y);
  const picked = await page.evaluate(() => abut.contacts.list[abut.store.contact]?.point.map((x, k) => x + abut.run.header.origin[k]));
  assert.ok(picked, "a contact is selected");
  const nearest = there.reduce((best, row) => (distance(row, picked) < distance(best, picked) ? row : best));
  assert.ok(distance(nearest, picked) < 1e-5);
  const detail = await page.textContent("#contact-detail");
  assert.ok(detail.includes(nearest.body_a) && detail.includes(nearest.body_b), detail);
  const force = shownNumber(/normal force, N([\d.eE+−-]+)/.exec(detail)[1]);
  assertClose(force, nearest.fn, threeDigits);
  // Cubes lie on each other with faces, edges and vertices, and four corners share what three could carry.
  assert.match(detail, /features(face|edge|vertex) \d+ on (face|edge|vertex) \d+/);
  assert.match(detail, /forces uniqueno/);
}

function distance(row, point) {
  return Math.hypot(row.x - point[0], row.y - point[1], row.z - point[2]);
}

/// Two bodies that do not touch: another cube lies between them, which is half of what their centres differ by.
async function checkPair(page) {
  await page.evaluate(() => {
    const name = (text) => abut.run.header.bodies.findIndex((body) => body.name === text);
    abut.store.selectBody(name("cube[0,0,1]"));
    abut.store.selectOther(name("cube[0,0,3]"));
    abut.tabs.show("Contacts");
    abut.draw();
  });
  const plane = await page.evaluate(() => ({ ...abut.witness.plane, normal: abut.witness.plane.normal.toArray(), shown: abut.witness.group.visible }));
  assert.ok(plane.shown && !plane.isExact);
  const height = await page.evaluate(() => {
    const [a, b] = [abut.store.body, abut.store.other];
    return abut.snapshot.position[3 * b + 2] - abut.snapshot.position[3 * a + 2];
  });
  assertClose(plane.gap, height / 2, 1e-4);
  assertClose(plane.normal[2], -1, 1e-4);
  assert.match(await page.textContent("#pair"), /of the drawn shapes/);
  await page.evaluate(() => abut.store.selectBody(-1));
}

async function checkOverlays(page) {
  await page.click("#overlays summary");
  for (const name of ["contacts", "forces", "normals", "regions", "joints", "velocity", "trails", "names", "boxes", "edges", "xray", "witness"]) {
    const before = await page.evaluate((key) => abut.store.overlays[key], name);
    await page.click(`[data-overlay="${name}"]`);
    assert.equal(await page.evaluate((key) => abut.store.overlays[key], name), !before);
  }
  await page.click("#title"); // closes the menu
  // Forces are seen: the picture has their colour, or not.
  const orange = () =>
    page.evaluate(() => {
      abut.draw();
      const gl = abut.stage.renderer.getContext();
      const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
      const pixels = new Uint8Array(4 * w * h);
      gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      let count = 0;
      for (let i = 0; i < pixels.length; i += 4) if (pixels[i] > 190 && pixels[i + 1] > 60 && pixels[i + 1] < 130 && pixels[i + 2] < 30) ++count;
      return count;
    });
  const only = (names) =>
    page.evaluate((list) => {
      for (const key of Object.keys(abut.store.overlays)) abut.store.overlays[key] = list.includes(key);
      abut.store.changed("overlays");
    }, names);
  await only(["forces"]);
  assert.ok((await orange()) > 200, "forces are drawn");
  await only([]);
  assert.ok((await orange()) < 50, "forces are not drawn");
  await only(["names"]);
  await page.evaluate(() => abut.draw());
  assert.ok((await page.locator(".label:visible").count()) > 0, "names are shown");
}

async function checkBodies(page) {
  await page.click('[data-tab="Bodies"]');
  const last = await page.evaluate(() => abut.run.header.bodies.length - 1);
  await page.click(`[data-body="${last}"]`);
  assert.equal(await page.evaluate(() => abut.store.body), last);
  await page.keyboard.press("o");
  assert.equal(await page.evaluate(() => abut.store.follow), true);
  const target = () => page.evaluate(() => (abut.draw(), abut.stage.controls.target.toArray()));
  await page.evaluate(() => abut.store.seek(0));
  const start = await target();
  await page.evaluate(() => abut.store.seek(abut.run.end));
  const end = await target();
  const moved = Math.hypot(...end.map((x, k) => x - start[k]));
  assert.ok(moved > 0.01, "the camera goes with the body");
  await page.keyboard.press("h");
  assert.deepEqual(await page.evaluate(() => [...abut.store.hidden]), [last]);
  await page.keyboard.press("h");
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => abut.store.body), -1);
}

async function checkPlots(page, directory) {
  await page.click('[data-tab="Plots"]');
  const energy = readCsv(join(directory, "energy.csv")).at(-1);
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.querySelector("#plot-energy .plot-values")?.textContent.includes("kinetic"));
  const text = await page.textContent("#plot-energy .plot-values");
  assertClose(shownNumber(/kinetic ([\d.eE+−-]+)/.exec(text)[1]), energy.kinetic, threeDigits);
  const box = await page.locator("#plot-energy .u-over").boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const [time, end] = await page.evaluate(() => [abut.store.time, abut.run.end]);
  assertClose(time, end / 2, 0.02 * end);
}

async function checkPhone(page) {
  await page.setViewportSize({ width: 390, height: 780 });
  await page.keyboard.press("Home");
  const size = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(size[0] <= size[1], "nothing sticks out to the side");
  for (const selector of ["#play", "#scrubber", "#clock", '[data-tab="Plots"]', "#overlays"]) {
    const box = await page.locator(selector).boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 391 && box.y + box.height <= 781, `${selector} is on the screen`);
  }
  await page.click("#play");
  await page.waitForFunction(() => abut.store.time > 0);
  await page.click("#play");
}

/// Names may hold anything; they are shown as text.
const hostile = {
  script: "</script><script>window.hacked=1</script><!--",
  image: "<img src=x onerror=window.hacked=2>",
  quotes: `"'\`&lt;\\`,
  reversed: "\u202e\u05e9\u05dc\u05d5\u05dd",
  long: "x".repeat(10000),
};

async function checkHostile(browser) {
  const bodies = Object.values(hostile).map((name, i) => `  - {name: ${JSON.stringify(name)}, shape: {sphere: {radius: 0.1}}, position: [${i}, 0, 1]}`);
  const scene = join(folder, "hostile.yaml");
  writeFileSync(scene, `abut: 1\nname: ${JSON.stringify(hostile.script)}\nduration: 0.1\nbodies:\n${bodies.join("\n")}\n`);
  const page = await openReport(browser, simulate(scene, "hostile"));
  assert.equal(await page.textContent("#title"), hostile.script);
  const names = await page.evaluate(() => abut.run.header.bodies.map((body) => body.name));
  assert.deepEqual(names, Object.values(hostile));
  await page.keyboard.press("m");
  await page.click('[data-tab="Bodies"]');
  await page.click('[data-tab="Scene"]');
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.deepEqual(page.complaints, []);
  await page.close();
}

mkdirSync(folder, { recursive: true });
const dominoes = simulate(shippedScene("domino_row"), "domino_row", "--csv");
const bricks = simulate(shippedScene("brick_stack"), "brick_stack", "--csv", "--duration", "1");
const shapes = simulate(shippedScene("mixed_shapes"), "mixed_shapes", "--no-report");
const browser = await startBrowser();
try {
  let page;
  await check("loads", async () => {
    page = await openReport(browser, dominoes);
  });
  await check("numbers", () => checkNumbers(page, dominoes));
  await check("plays", () => checkPlaying(page));
  await check("scrubs", () => checkScrubbing(page, dominoes));
  await check("events", () => checkEvents(page, dominoes));
  await check("bodies", () => checkBodies(page));
  await check("plots", () => checkPlots(page, dominoes));
  await check("dark", async () => {
    await page.click("#theme");
    assert.ok(await page.evaluate(() => document.documentElement.classList.contains("dark") === abut.store.dark));
  });
  await check("picture of domino_row", async () => checkPicture(page, "domino_row", await drawHere(page, 0.6)));
  await check("says nothing, asks for nothing", async () => assert.deepEqual(page.complaints, []));
  await page.close();
  page = await openReport(browser, bricks);
  await check("contact", () => checkContact(page, bricks));
  await check("pair", () => checkPair(page));
  await check("overlays", () => checkOverlays(page));
  await check("phone", () => checkPhone(page));
  await check("picture of brick_stack", async () => checkPicture(page, "brick_stack", await drawHere(page, 0.5)));
  await check("picture by the program", async () => checkPicture(page, "mixed_shapes", drawByProgram(shapes, 0.4)));
  await check("still says nothing", async () => assert.deepEqual(page.complaints, []));
  await page.close();
  await check("hostile names", () => checkHostile(browser));
} finally {
  await browser.close();
}
await check("film", () => checkFilm(bricks));
await check("animation", () => checkAnimation(dominoes));
finish();
