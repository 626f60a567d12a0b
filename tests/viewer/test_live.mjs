// `abut view` in a real browser: a scene that is simulated while it is watched, pulled at and changed,
// and a recorded run.
//
// Usage: node test_live.mjs PROGRAM SCENES FOLDER

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, finish, folder, listenToComplaints, program, shippedScene, simulate, startBrowser } from "./support.mjs";

const patience = 300_000; // ms, on a busy machine without a graphics card

/// Starts `abut view` and gives its address, and a promise of how it ends.
async function serve(...options) {
  const child = spawn(program, ["view", "--no-open", ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((done) => child.on("exit", (code) => done(code)));
  const url = await new Promise((done, fail) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      if (text.includes("\n")) done(text.trim());
    });
    child.on("exit", (code) => fail(new Error(`abut view ended with ${code}`)));
  });
  return { url, ended, child };
}

async function open(browser, url) {
  const page = await browser.newPage({ viewport: { width: 900, height: 560 } });
  page.setDefaultTimeout(patience);
  listenToComplaints(page, new RegExp(`^(${url.split("/", 3).join("/")}|data|blob)`));
  await page.goto(url);
  await page.evaluate(() => window.abutReady);
  return page;
}

async function within(promise) {
  const late = new Promise((_, fail) => setTimeout(() => fail(new Error("it goes on")), patience).unref());
  return Promise.race([promise, late]);
}

/// Where a body is, in metres.
const place = (page, body) =>
  page.evaluate((i) => {
    abut.draw();
    return [0, 1, 2].map((k) => abut.snapshot.position[3 * i + k] + abut.run.header.origin[k]);
  }, body);

const scene = `abut: 1
name: Live
duration: 0.5
bodies:
  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed}
  - {name: box, shape: {box: {size: [1, 1, 1]}}, position: [0, 0, 0.5]}
  - {name: ball, shape: {sphere: {radius: 0.5}}, position: [3, 0, 1.5]}
`;
const [box, ball] = [1, 2];
/// A metre of fall.
const impact = Math.sqrt(2 / 9.81);

async function checkPlaying(page) {
  await page.waitForFunction(() => abut.store.time > 0.1);
  assert.equal(await page.textContent("#title"), "Live");
  await page.keyboard.press(" ");
  assert.equal(await page.evaluate(() => abut.store.playing), false);
  const paused = await page.evaluate(() => abut.store.time);
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => abut.store.time), paused, "paused is paused");
}

/// What is shown is what falls: the simulation's numbers reach the page. Until the page hears of the
/// new run, it shows the old one.
async function checkFall(page) {
  await page.keyboard.press("0");
  await page.waitForFunction(() => !abut.live.link.waiting && abut.run.end > 0.3);
  await page.evaluate(() => {
    abut.store.play(false);
    abut.store.seek(0.25);
  });
  const [x, , z] = await place(page, ball);
  assert.ok(Math.abs(x - 3) < 1e-5);
  assert.ok(Math.abs(z - (1.5 - 0.5 * 9.81 * 0.25 ** 2)) < 1e-4, `z is ${z}`);
}

async function checkStep(page) {
  await page.evaluate(() => {
    abut.store.play(false);
    abut.live.restart();
    abut.store.play(false);
  });
  await page.waitForFunction(() => !abut.live.link.waiting && abut.run.end < 0.3);
  // The first events are those of the box that stands on the floor, at time 0.
  await page.evaluate(() => abut.store.seek(abut.run.end));
  await page.keyboard.press("Shift+ArrowRight");
  await page.waitForFunction(() => abut.store.event >= 0 && abut.store.time > 0.4);
  const time = await page.evaluate(() => abut.store.time);
  assert.ok(Math.abs(time - impact) < 1e-6, `stepped to ${time}`);
  const before = time;
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((t) => abut.store.time > t, before);
}

/// Pulls at the box with the pointer, to the side.
async function checkPull(page) {
  await page.evaluate(() => abut.store.play(true));
  const before = await place(page, box);
  const at = await page.evaluate((body) => {
    const canvas = abut.stage.renderer.domElement.getBoundingClientRect();
    const p = abut.overlays.centre(abut.snapshot, body).project(abut.stage.camera);
    return { x: canvas.left + ((p.x + 1) / 2) * canvas.width, y: canvas.top + ((1 - p.y) / 2) * canvas.height };
  }, box);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  assert.ok(await page.evaluate(() => abut.live.grip.isHeld), "it is held");
  for (let i = 1; i <= 8; ++i) await page.mouse.move(at.x - 15 * i, at.y - 6 * i);
  await page.waitForFunction((x) => (abut.draw(), Math.abs(abut.snapshot.position[3] + abut.run.header.origin[0] - x) > 0.2), before[0]);
  await page.mouse.up();
  assert.ok(!(await page.evaluate(() => abut.live.grip.isHeld)));
  const camera = await page.evaluate(() => abut.stage.camera.position.toArray());
  assert.ok(camera.every(Number.isFinite));
}

/// Without gravity what was pushed does not come down; with gravity upwards everything rises.
async function checkGravity(page) {
  await page.click('[data-tab="Live"]');
  await page.fill("#live-gravity-z", "5");
  await page.waitForFunction((body) => (abut.draw(), abut.snapshot.velocity[3 * body + 2] > 1), ball);
  await page.waitForFunction((body) => abut.snapshot.velocity[3 * body + 2] > 1, box);
  await page.click("#live-reset");
  await page.waitForFunction(() => abut.live.parameters.gravity === null);
}

async function checkPanels(page) {
  await page.click('[data-tab="Events"]');
  await page.waitForFunction(() => document.querySelectorAll("#event-list .event").length > 0);
  await page.click('[data-tab="Plots"]');
  await page.waitForFunction(() => document.querySelector("#plot-energy canvas") !== null);
  await page.click('[data-tab="Contacts"]');
  await page.keyboard.press("t");
  await page.evaluate(() => abut.draw());
}

/// The rate of pictures is the page's own, and five hundred bodies are simulated as time passes.
async function checkMany(browser) {
  const list = [];
  for (let i = 0; i < 500; ++i) list.push(`  - {name: b${i}, shape: {sphere: {radius: 0.3}}, position: [${i % 25}, ${Math.floor(i / 25)}, 5], angular_velocity: [1, 2, 3]}`);
  const file = join(folder, "many.yaml");
  writeFileSync(file, `abut: 1\nduration: 1\ngravity: [0, 0, -0.1]\nbodies:\n${list.join("\n")}\n`);
  const server = await serve(file);
  const page = await open(browser, server.url);
  await page.waitForFunction(() => abut.store.time > 0.5);
  const told = await page.evaluate(() => [abut.run.frames.count, abut.run.end]);
  assert.ok(told[0] >= 60 * told[1] - 1, "sixty frames per simulated second arrive");
  assert.deepEqual(page.complaints, []);
  await page.close();
  assert.equal(await within(server.ended), 0);
}

mkdirSync(folder, { recursive: true });
const file = join(folder, "live.yaml");
writeFileSync(file, scene);
const browser = await startBrowser();
try {
  let server, page;
  await check("opens", async () => {
    server = await serve(file);
    page = await open(browser, server.url);
  });
  await check("plays and pauses", () => checkPlaying(page));
  await check("falls as it should", () => checkFall(page));
  await check("steps", () => checkStep(page));
  await check("pull", () => checkPull(page));
  await check("gravity", () => checkGravity(page));
  await check("panels", () => checkPanels(page));
  await check("loading anew begins anew", async () => {
    await page.reload();
    await page.evaluate(() => window.abutReady);
    await page.waitForFunction(() => abut.store.time > 0.05);
    assert.equal(await page.evaluate(() => abut.live.isOver), false);
  });
  await check("works at phone width", async () => {
    await page.setViewportSize({ width: 390, height: 780 });
    const size = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(size[0] <= size[1], "nothing sticks out to the side");
  });
  await check("says nothing, asks for nothing", async () => assert.deepEqual(page.complaints, []));
  await check("closing the page ends the program", async () => {
    await page.close();
    assert.equal(await within(server.ended), 0);
  });
  await check("a recorded run", async () => {
    const run = await serve(simulate(shippedScene("bouncing_ball"), "bouncing_ball", "--no-report", "--duration", "1"));
    const shown = await open(browser, run.url);
    assert.equal(await shown.textContent("#status"), "complete");
    await shown.keyboard.press("End");
    assert.equal(await shown.evaluate(() => abut.store.time), 1);
    assert.deepEqual(shown.complaints, []);
    await shown.close();
    assert.equal(await within(run.ended), 0);
  });
  await check("five hundred bodies", () => checkMany(browser));
} finally {
  await browser.close();
}
finish();
