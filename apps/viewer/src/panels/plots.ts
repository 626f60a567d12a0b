// What is plotted.

import type { Run } from "../data/run";
import { h } from "../ui/dom";
import type { Store } from "../ui/store";
import { palette } from "../stage/palette";
import { Plot, type PlotData } from "./plot";

const mostSpeedLines = 6;
const refreshInterval = 600; // ms, of a run that goes on

function norms(values: ArrayLike<number>): Float64Array {
  const list = new Float64Array(values.length / 3);
  for (let i = 0; i < list.length; ++i) list[i] = Math.hypot(values[3 * i], values[3 * i + 1], values[3 * i + 2]);
  return list;
}

function component(values: ArrayLike<number>, k: number): Float64Array {
  return Float64Array.from({ length: values.length / 3 }, (_, i) => values[3 * i + k]);
}

function energies(run: Run): PlotData | null {
  const { series } = run;
  const lines = ["kinetic", "potential", "elastic", "dissipated", "work"].flatMap((name, i) => {
    const values = series.get(name);
    const used = values?.some((x) => x !== 0) || i < 2;
    return values && used ? [{ label: name, color: palette[i], values }] : [];
  });
  return lines.length > 0 ? { id: "energy", title: "Energy", unit: "J", time: series.time, lines } : null;
}

/// kinetic + potential + elastic + dissipated - work stays constant; what it strays by, relative to
/// what the summary's energy_error is relative to. The books open after the events of time 0.
function energyError(run: Run): PlotData | null {
  const { series } = run;
  const parts = ["kinetic", "potential", "elastic", "dissipated", "work"].map((name) => series.get(name));
  if (parts.some((part) => !part)) return null;
  const signs = [1, 1, 1, 1, -1];
  const n = series.time.length;
  const told = run.header.summary?.energy_scale;
  const scale = typeof told === "number" && told > 0 ? told : largestEnergy(parts as ArrayLike<number>[]);
  const balance = (i: number) => parts.reduce((sum, part, k) => sum + signs[k] * part![i], 0);
  let first = 0;
  while (first + 1 < n && series.time[first + 1] === 0) first += 1;
  const start = n > 0 ? balance(first) : 0;
  const values = Float64Array.from({ length: n }, (_, i) => (scale > 0 && i >= first ? (balance(i) - start) / scale : 0));
  return { id: "energy-error", title: "Energy error", unit: "relative", time: series.time, lines: [{ label: "imbalance", color: palette[5], values }] };
}

/// While a scene is simulated live there is no summary: the largest change of any part, or the
/// largest kinetic energy.
function largestEnergy(parts: ArrayLike<number>[]): number {
  let scale = 0;
  for (const part of parts) {
    let [least, most] = [Infinity, -Infinity];
    for (const x of Array.from(part)) [least, most] = [Math.min(least, x), Math.max(most, x)];
    scale = Math.max(scale, most - least);
  }
  return Array.from(parts[0]).reduce((a, b) => Math.max(a, b), scale);
}

function momentum(run: Run, name: string, id: string, title: string, unit: string): PlotData | null {
  const values = run.series.get(name);
  if (!values) return null;
  const lines = ["x", "y", "z"].map((label, k) => ({ label, color: palette[k], values: component(values, k) }));
  return { id, title, unit, time: run.series.time, lines: [...lines, { label: "size", color: palette[3], values: norms(values) }] };
}

function gap(run: Run): PlotData | null {
  const values = run.series.get("smallest_gap");
  if (!values?.some((x) => Number.isFinite(x))) return null;
  return { id: "gap", title: "Smallest gap at a contact", unit: "m", time: run.series.time, lines: [{ label: "gap", color: palette[2], values }] };
}

function contacts(run: Run): PlotData | null {
  const values = run.series.get("contacts");
  if (!values) return null;
  return { id: "contacts", title: "Contacts", unit: "points", time: run.series.time, lines: [{ label: "contacts", color: palette[0], values, steps: true }] };
}

/// Counted in a hundred intervals.
function eventRate(run: Run): PlotData | null {
  if (run.events.length === 0 || run.end <= run.start) return null;
  const bins = 100;
  const width = (run.end - run.start) / bins;
  const counts = new Float64Array(bins + 1);
  for (const event of run.events) counts[Math.min(bins - 1, Math.floor((event.time - run.start) / width))] += 1 / width;
  counts[bins] = counts[bins - 1];
  const time = Float64Array.from({ length: bins + 1 }, (_, i) => run.start + i * width);
  return { id: "events", title: "Events per second", unit: "1/s", time, lines: [{ label: "events", color: palette[1], values: counts, steps: true }] };
}

function speeds(run: Run, selected: number): PlotData | null {
  const { frames, header } = run;
  const bodies = selected >= 0 ? [selected] : header.moving.slice(0, mostSpeedLines);
  if (bodies.length === 0 || frames.count === 0) return null;
  const time = Float64Array.from({ length: frames.count }, (_, i) => frames.time(i));
  const speed = (name: string, body: number) =>
    Float64Array.from({ length: frames.count }, (_, i) => Math.hypot(...(frames.vector(name, i, body) ?? [NaN, NaN, NaN])));
  const lines = bodies.map((body, i) => ({ label: run.bodyName(body).slice(0, 30), color: palette[i % palette.length], values: speed("velocity", body) }));
  if (selected >= 0 && frames.vector("angular_velocity", 0, selected)) {
    lines.push({ label: "turning, rad/s", color: palette[1], values: speed("angular_velocity", selected) });
  }
  const left = header.moving.length - bodies.length;
  const title = selected < 0 && left > 0 ? `Speed (of the first ${bodies.length}; select a body for its own)` : "Speed";
  return { id: "speed", title, unit: "m/s", time, lines };
}

export function plotsPanel(store: Store): HTMLElement {
  const { run } = store;
  const panel = h("div", { class: "plots" });
  const plots: Plot[] = [];
  const link = (zoom: [number, number] | null) => plots.forEach((plot) => plot.setZoom(zoom));
  const add = (data: PlotData | null): Plot | null => {
    if (!data) return null;
    const plot = new Plot(data, store, link);
    plots.push(plot);
    panel.append(plot.element);
    return plot;
  };
  panel.append(h("p", { class: "note" }, "Click to go to a time, drag to zoom, double-click for all."));
  let selected = -1;
  const moving = () => (run.header.moving.includes(selected) ? selected : -1);
  const sources: (() => PlotData | null)[] = [
    () => energies(run),
    () => energyError(run),
    () => speeds(run, moving()),
    () => contacts(run),
    () => gap(run),
    () => momentum(run, "linear_momentum", "momentum", "Momentum", "kg m/s"),
    () => momentum(run, "angular_momentum", "angular-momentum", "Angular momentum about the origin", "kg m²/s"),
    () => eventRate(run),
  ];
  let made = sources.map((source) => add(source()));
  const speed = () => made[2];
  /// A run that goes on is plotted anew now and then, while somebody looks.
  let waiting = 0;
  const refresh = () => {
    waiting = 0;
    if (panel.hidden) return;
    const data = sources.map((source) => source());
    const same = data.every((one, i) => (one === null) === (made[i] === null));
    if (same) {
      data.forEach((one, i) => one && made[i]!.setData(one));
      return;
    }
    for (const plot of plots.splice(0)) plot.element.remove();
    made = data.map((one) => add(one));
  };
  store.on((key) => {
    if (key === "data" && waiting === 0) waiting = window.setTimeout(refresh, refreshInterval);
    if (panel.hidden && key === "time") return;
    if (key === "time") for (const plot of plots) plot.moveTo();
    else if (key === "theme") for (const plot of plots) plot.remake();
    else if (key === "selection" && store.body !== selected) {
      selected = store.body;
      const data = speeds(run, moving());
      if (data) speed()?.setData(data);
    }
  });
  return panel;
}
