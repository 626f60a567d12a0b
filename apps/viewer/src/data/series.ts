// Quantities over time, for plots. They grow while a run goes on.

import type { Chunk, Numbers } from "./chunk";

/// Rows that are kept of a run without end: hours at sixty per second.
const mostRows = 400_000;

interface Column {
  values: Float64Array; // with room at the end
  length: number;
}

export class Series {
  private columns = new Map<string, Column>();

  get time(): Float64Array {
    return this.get("time") ?? new Float64Array();
  }
  get(name: string): Float64Array | undefined {
    const column = this.columns.get(name);
    return column?.values.subarray(0, column.length);
  }

  add(chunk: Chunk): void {
    for (const [name, values] of chunk.arrays) this.append(name, values);
    if (this.time.length > mostRows) this.forgetHalf();
  }
  clear(): void {
    this.columns.clear();
  }

  private append(name: string, more: Numbers): void {
    let column = this.columns.get(name);
    if (!column) this.columns.set(name, (column = { values: new Float64Array(more.length), length: 0 }));
    const length = column.length + more.length;
    if (length > column.values.length) {
      const larger = new Float64Array(2 * length);
      larger.set(column.values.subarray(0, column.length));
      column.values = larger;
    }
    column.values.set(more, column.length);
    column.length = length;
  }

  private forgetHalf(): void {
    const rows = this.time.length;
    const gone = rows >> 1;
    for (const column of this.columns.values()) {
      const width = column.length / rows;
      column.values.copyWithin(0, gone * width, column.length);
      column.length -= gone * width;
    }
  }
}
