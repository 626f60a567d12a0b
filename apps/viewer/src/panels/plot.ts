// One plot over time, linked with the scrubber: click or drag to seek, Shift and drag to zoom,
// double-click to see all.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { download, h, icon, number } from "../ui/dom";
import type { Store } from "../ui/store";

export interface Line {
  label: string;
  color: string;
  values: ArrayLike<number>;
  steps?: boolean;
}

export interface PlotData {
  id: string;
  title: string;
  unit: string;
  time: ArrayLike<number>;
  lines: Line[];
  logarithmic?: boolean;
}

const height = 150;
const downloadPath = "M12 3v11m0 0l-5-5m5 5l5-5M4 19h16";

export function csvOf(data: PlotData, from: number, to: number): string {
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
  const rows = [["time", ...data.lines.map((line) => quoted(line.label))].join(",")];
  for (let i = 0; i < data.time.length; ++i) {
    if (data.time[i] < from || data.time[i] > to) continue;
    rows.push([data.time[i], ...data.lines.map((line) => line.values[i])].join(","));
  }
  return `${rows.join("\n")}\n`;
}

export class Plot {
  readonly element: HTMLElement;
  private plot: uPlot | null = null;
  private readonly holder = h("div", { class: "plot" });
  private readonly values = h("div", { class: "plot-values" });
  private data: PlotData;
  private zoom: [number, number] | null = null;

  constructor(data: PlotData, private readonly store: Store, private readonly linked: (zoom: [number, number] | null) => void) {
    this.data = data;
    const save = h("button", { type: "button", class: "quiet", title: "Save what is shown as CSV", "aria-label": "Save as CSV", click: () => this.save() }, icon(downloadPath));
    this.element = h(
      "section",
      { class: "plot-box", id: `plot-${data.id}` },
      h("header", {}, h("h3", {}, data.title), h("span", { class: "note" }, data.unit), h("span", { class: "spacer" }), save),
      this.holder,
      this.values,
    );
    new ResizeObserver(() => this.resize()).observe(this.holder);
  }

  private save(): void {
    const [from, to] = this.zoom ?? [-Infinity, Infinity];
    download(`${this.data.id}.csv`, "text/csv", csvOf(this.data, from, to));
  }

  private resize(): void {
    const width = this.holder.clientWidth;
    if (width === 0) return;
    if (this.plot) this.plot.setSize({ width, height });
    else this.make(width);
  }

  setData(data: PlotData): void {
    const labels = (of: PlotData) => of.lines.map((line) => line.label).join("\n");
    const same = labels(data) === labels(this.data);
    this.data = data;
    if (!same || !this.plot) return this.remake();
    this.plot.setData(this.lists(), this.zoom === null);
    this.moveTo();
  }
  private lists(): uPlot.AlignedData {
    const { time, lines } = this.data;
    return [time, ...lines.map((l) => l.values)].map((list) => Array.from(list, (x) => (Number.isFinite(x) ? x : null))) as uPlot.AlignedData;
  }
  remake(): void {
    if (!this.plot) return;
    this.plot.destroy();
    this.plot = null;
    this.resize();
    this.moveTo();
  }

  private make(width: number): void {
    const style = getComputedStyle(document.documentElement);
    const [soft, line] = [style.getPropertyValue("--soft").trim(), style.getPropertyValue("--line").trim()];
    const axis: uPlot.Axis = { stroke: soft, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 4 }, font: "11px system-ui, sans-serif" };
    const options: uPlot.Options = {
      width,
      height,
      padding: [6, 8, 0, 0],
      legend: { show: false },
      cursor: { points: { size: 6 }, drag: { x: true, y: false, setScale: false, dist: 4 } },
      scales: {
        x: { time: false, ...(this.zoom ? { auto: false, min: this.zoom[0], max: this.zoom[1] } : {}) },
        y: this.data.logarithmic ? { distr: 3 } : {},
      },
      axes: [
        { ...axis, size: 24, gap: 2 },
        { ...axis, size: 58, gap: 4, values: (_, ticks) => ticks.map((t) => (t === null ? "" : tickText(t))) },
      ],
      series: [
        {},
        ...this.data.lines.map((l) => ({
          label: l.label,
          stroke: l.color,
          width: 1.5,
          points: { show: this.data.time.length < 3 },
          ...(l.steps ? { paths: uPlot.paths.stepped!({ align: 1 }) } : {}),
        })),
      ],
      hooks: {
        setCursor: [(u) => this.showValues(u.cursor.idx ?? null)],
        setSelect: [(u) => u.select.width > 8 && this.linked([u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x")])],
        draw: [(u) => this.drawNow(u)],
      },
    };
    this.plot = new uPlot(options, this.lists(), this.holder);
    const over = this.plot.over;
    over.addEventListener("click", (event) => {
      if (!this.plot || this.plot.select.width > 8) return;
      this.store.playing = false;
      this.store.changed("playing");
      this.store.seek(this.plot.posToVal(event.offsetX, "x"));
    });
    over.addEventListener("dblclick", () => this.linked(null));
    this.showValues(null);
  }

  setZoom(zoom: [number, number] | null): void {
    this.zoom = zoom;
    if (!this.plot) return;
    this.plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    const time = this.data.time;
    this.plot.setScale("x", zoom ? { min: zoom[0], max: zoom[1] } : { min: time[0], max: time[time.length - 1] });
  }

  /// The values under the pointer, or else at the time that is shown.
  private showValues(index: number | null): void {
    const { time, lines } = this.data;
    const i = index ?? indexAt(time, this.store.time);
    this.values.replaceChildren(
      h("span", {}, `t = ${number(time[i], 6)} s`),
      ...lines.map((line) => h("span", {}, h("i", { style: `background:${line.color}` }), h("bdi", {}, line.label), ` ${number(line.values[i])}`)),
    );
  }

  /// Follows the time that is shown.
  moveTo(): void {
    if (!this.plot) return;
    this.plot.redraw(false);
    if (this.plot.cursor.idx === null || this.plot.cursor.idx === undefined) this.showValues(null);
  }

  private drawNow(u: uPlot): void {
    const x = u.valToPos(this.store.time, "x", true);
    const { left, top, width, height: tall } = u.bbox;
    if (x < left || x > left + width) return;
    u.ctx.save();
    u.ctx.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
    u.ctx.lineWidth = 1.5 * devicePixelRatio;
    u.ctx.beginPath();
    u.ctx.moveTo(x, top);
    u.ctx.lineTo(x, top + tall);
    u.ctx.stroke();
    u.ctx.restore();
  }
}

/// Short enough for the margin: 2e-10 rather than 2.000e-10.
function tickText(t: number): string {
  const text = Math.abs(t) >= 1e5 || (Math.abs(t) < 1e-3 && t !== 0) ? String(Number(t.toPrecision(3)).toExponential()) : String(Number(t.toPrecision(6)));
  return text.replace(/-/g, "\u2212").replace("e+", "e");
}

/// The last place at or before t in an ascending list.
export function indexAt(time: ArrayLike<number>, t: number): number {
  let [low, high] = [0, time.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (time[middle] <= t) low = middle;
    else high = middle;
  }
  return low;
}
