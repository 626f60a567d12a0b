// What a run can be trusted for, and how to repeat it.

import type { Json } from "../data/header";
import type { Run } from "../data/run";
import { h, number } from "../ui/dom";

function facts(rows: [string, Node | string][]): HTMLElement {
  return h("table", { class: "facts" }, h("tbody", {}, ...rows.map(([name, value]) => h("tr", {}, h("td", {}, name), h("td", {}, value)))));
}

function text(value: Json): string {
  if (value === null) return "–";
  if (typeof value === "number") return number(value, 7);
  if (Array.isArray(value)) return `[${value.map(text).join(", ")}]`;
  if (typeof value === "object") return Object.entries(value).map(([k, v]) => `${k} ${text(v)}`).join(", ");
  return String(value);
}

function card(id: string, value: string, label: string, verdict: "good" | "bad" | ""): HTMLElement {
  return h("div", { class: `card ${verdict}`, id }, h("b", {}, value), h("span", {}, label));
}

function certificate(summary: { [key: string]: Json }): HTMLElement {
  const value = (key: string) => (typeof summary[key] === "number" ? (summary[key] as number) : NaN);
  const gap = value("min_gap");
  const verdict = (x: number, limit: number) => (Number.isNaN(x) ? "" : x <= limit ? "good" : "bad");
  return h(
    "div",
    { class: "cards" },
    card("min-gap", Number.isNaN(gap) ? "–" : `${number(gap, 4)} m`, gap < 0 ? "smallest gap" : value("pairs_unproven") > 0 ? "smallest gap, not proven for all" : "smallest gap, proven: no overlap", Number.isNaN(gap) ? "" : gap >= 0 ? "good" : "bad"),
    card("energy-error", number(value("energy_error"), 3), "energy error (relative)", verdict(value("energy_error"), 1e-6)),
    card("momentum-error", number(value("momentum_error"), 3), "momentum error (relative)", verdict(value("momentum_error"), 1e-6)),
    card("lcp-residual", number(value("lcp_residual_max"), 3), "complementarity residual", verdict(value("lcp_residual_max"), 1e-6)),
  );
}

const counts: [string, string][] = [
  ["duration", "simulated, s"],
  ["wall_seconds", "wall time, s"],
  ["steps", "steps"],
  ["rejected_steps", "rejected steps"],
  ["events", "events"],
  ["impacts", "impacts"],
  ["contacts_max", "most contacts at a time"],
  ["unresolved", "unresolved meetings"],
  ["limits_met", "searches cut short"],
  ["max_penetration", "deepest overlap, m"],
  ["pairs_unproven", "pairs in contact whose gaps are not proven between instants"],
  ["energy_initial", "energy at the start, J"],
  ["energy_final", "energy at the end, J"],
  ["energy_dissipated", "dissipated, J"],
  ["energy_dissipated_by", "of which by"],
  ["work", "work done on bodies, J"],
  ["lcp_solves", "force problems solved"],
  ["lcp_pivots", "pivots"],
  ["forces_not_unique", "of which with forces that are not unique"],
  ["jams", "jams (impulses without collision)"],
  ["cache_hits", "witnesses found again"],
  ["cache_misses", "witnesses searched for"],
];
const phases: [string, string][] = [
  ["detection", "which bodies may meet"],
  ["contact_times", "when they touch"],
  ["impulses", "contacts and impulses"],
  ["forces", "which contacts last, and forces"],
  ["integration", "motion between events"],
  ["recording", "frames and books"],
];

/// Wall time by what it was spent on, as bars.
function costTable(costs: { [key: string]: Json }): HTMLElement {
  const of = (key: string) => (typeof costs[key] === "number" ? (costs[key] as number) : 0);
  const whole = phases.reduce((sum, [key]) => sum + of(key), 0);
  const share = (key: string) => (whole > 0 ? (100 * of(key)) / whole : 0);
  return h(
    "table",
    { class: "facts costs", id: "costs" },
    h("tbody", {}, ...phases.map(([key, label]) => h("tr", { "data-phase": key }, h("td", {}, label, h("i", { style: `width:${share(key).toFixed(1)}%` })), h("td", {}, `${number(of(key), 3)} s`)))),
  );
}

const shownElsewhere = ["wall_seconds_by", "scene", "version", "status", "message", "min_gap", "energy_error", "momentum_error", "lcp_residual_max", "state_hash"];

function countTable(summary: { [key: string]: Json }): HTMLElement {
  const rows: [string, string][] = [];
  for (const [key, label] of counts) if (key in summary) rows.push([label, text(summary[key])]);
  // What later versions add is shown under its own name.
  const known = new Set([...counts.map(([key]) => key), ...shownElsewhere]);
  for (const [key, value] of Object.entries(summary)) if (!known.has(key)) rows.push([key, text(value)]);
  return facts(rows);
}

export function summaryPanel(run: Run): HTMLElement {
  const { header } = run;
  const { summary } = header;
  const panel = h("div");
  if (header.status !== "complete" && !run.isLive) {
    const message = summary?.message ? `: ${String(summary.message)}` : "";
    const how = header.status === "running" ? "it was killed, or goes on" : header.status;
    const what = header.status === "suspect" ? "The result is suspect" : `The run did not reach its end (${how})`;
    panel.append(h("p", { class: "notice", id: "status-notice" }, `${what}${message}`));
  }
  for (const sentence of header.thinning) panel.append(h("p", { class: "notice" }, `To keep this page small it holds ${sentence}. run.h5 has everything.`));
  if (summary) {
    panel.append(h("h2", {}, "Certificate"), certificate(summary));
    panel.append(h("h2", {}, "Counts"), countTable(summary));
    const costs = summary.wall_seconds_by;
    if (costs && typeof costs === "object" && !Array.isArray(costs)) panel.append(h("h2", {}, "Wall time by phase"), costTable(costs));
  }
  panel.append(h("h2", {}, "Settings"), facts(Object.entries(header.settings).map(([key, value]) => [key, text(value)])));
  if (run.isLive) return panel;
  panel.append(
    h("h2", {}, "Reproduce"),
    h("p", { class: "note" }, "The same scene and version give the same bits, whatever the number of threads:"),
    h("pre", {}, `abut --version      # ${header.program}\nabut run scene.yaml # the text under Scene\nabut verify out/scene`),
    facts([
      ["state hash", h("code", { id: "state-hash" }, String(summary?.state_hash ?? "–"))],
      ["scene hash", h("code", {}, header.scene.hash)],
      ["frames", String(header.recorded.frames)],
    ]),
  );
  return panel;
}

export function scenePanel(run: Run): HTMLElement {
  return h("div", {}, h("pre", { id: "scene-text" }, run.header.scene.text));
}
