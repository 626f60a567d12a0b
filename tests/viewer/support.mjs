// A browser, runs to look at, and what to expect of them.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

export const viewer = new URL("../../apps/viewer/", import.meta.url);
const require = createRequire(new URL("package.json", viewer));
const { chromium } = require("playwright-core");

export const [program, scenes, folder] = process.argv.slice(2);

export function startBrowser() {
  return chromium.launch({ executablePath: process.env.ABUT_BROWSER || "/usr/bin/chromium", args: ["--no-sandbox", "--enable-unsafe-swiftshader"] });
}

/// Runs a scene and gives the folder of its results.
export function simulate(scene, name, ...options) {
  const directory = join(folder, name);
  execFileSync(program, ["run", scene, "-o", directory, "--quiet", ...options], { stdio: ["ignore", "ignore", "pipe"] });
  return directory;
}

export function shippedScene(name) {
  return join(scenes, `${name}.yaml`);
}

/// A table as a list of objects. Only names may be quoted, and none of the shipped scenes needs it.
export function readCsv(path) {
  const [head, ...rows] = readFileSync(path, "utf8").trimEnd().split("\n");
  const columns = head.split(",");
  return rows.map((row) => {
    const fields = splitRow(row);
    return Object.fromEntries(columns.map((name, i) => [name, Number.isNaN(Number(fields[i])) ? fields[i] : Number(fields[i])]));
  });
}

function splitRow(row) {
  return [...row.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map((match) => match[1].replace(/^"|"$/g, "").replaceAll('""', '"'));
}

export function readSummary(directory) {
  return JSON.parse(readFileSync(join(directory, "summary.json"), "utf8"));
}

/// Collects what a page complains of, and every request but those to the addresses expected.
export function listenToComplaints(page, expected) {
  page.complaints = [];
  page.on("console", (message) => {
    // Drawing without a graphics card, the browser warns of its own slowness.
    const own = message.text().includes("GL Driver Message");
    if (["error", "warning"].includes(message.type()) && !own) page.complaints.push(message.text());
  });
  page.on("pageerror", (error) => page.complaints.push(error.message));
  page.on("request", (request) => {
    if (!expected.test(request.url())) page.complaints.push(`request to ${request.url()}`);
  });
}

export async function openReport(browser, directory, size = { width: 900, height: 560 }) {
  const page = await browser.newPage({ viewport: size });
  listenToComplaints(page, /^(file|data|blob):/);
  await page.goto(`file://${directory}/report.html`);
  await page.evaluate(() => window.abutReady);
  return page;
}

/// The number that a text of the page shows, which has a true minus sign.
export function shownNumber(text) {
  return Number.parseFloat(text.replaceAll("\u2212", "-"));
}

let failures = 0;
/// Runs one check and goes on whatever comes of it.
export async function check(name, action) {
  const started = Date.now();
  try {
    await action();
    console.log(`ok   ${name} (${Date.now() - started} ms)`);
  } catch (error) {
    failures += 1;
    console.log(`FAIL ${name}\n     ${error.stack ?? error}`);
  }
}
export function finish() {
  process.exitCode = failures > 0 ? 1 : 0;
}
