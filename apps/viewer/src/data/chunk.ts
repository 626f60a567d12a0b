// Chunks: named arrays in one block of bytes.

export type Numbers = Float32Array | Float64Array | Int32Array | Uint32Array | Int16Array | Uint8Array;

interface ArrayEntry {
  name: string;
  type: "f32" | "f64" | "i32" | "u32" | "i16" | "u8";
  extents: number[];
  offset: number;
  packing?: "differences";
  scale?: number;
}

export interface Chunk {
  kind: string;
  notes: Record<string, unknown>;
  arrays: Map<string, Numbers>;
}

const types = {
  f32: Float32Array,
  f64: Float64Array,
  i32: Int32Array,
  u32: Uint32Array,
  i16: Int16Array,
  u8: Uint8Array,
};

/// The same of elements of eight bytes, in halves: what the lower ones carry goes to the upper ones.
function undoLongDifferences(planes: Uint8Array, count: number, row: number): ArrayBuffer {
  const buffer = new ArrayBuffer(count * 8);
  const halves = new Uint32Array(buffer);
  const half = (i: number, first: number) => {
    let value = 0;
    for (let b = 0; b < 4; ++b) value |= planes[(first + b) * count + i] << (8 * b);
    return value >>> 0;
  };
  for (let i = 0; i < count; ++i) {
    const low = half(i, 0) + (i >= row ? halves[2 * (i - row)] : 0);
    halves[2 * i] = low;
    halves[2 * i + 1] = half(i, 4) + (i >= row ? halves[2 * (i - row) + 1] : 0) + (low > 0xffffffff ? 1 : 0);
  }
  return buffer;
}

/// Undoes the packing "differences".
function undoDifferences(planes: Uint8Array, count: number, bytes: number, row: number): ArrayBuffer {
  if (bytes === 8) return undoLongDifferences(planes, count, row);
  const buffer = new ArrayBuffer(count * bytes);
  const values = bytes === 4 ? new Uint32Array(buffer) : bytes === 2 ? new Uint16Array(buffer) : new Uint8Array(buffer);
  for (let i = 0; i < count; ++i) {
    let value = 0;
    for (let b = 0; b < bytes; ++b) value |= planes[b * count + i] << (8 * b);
    values[i] = i >= row ? value + values[i - row] : value;
  }
  return buffer;
}

function readArray(data: Uint8Array, entry: ArrayEntry): Numbers {
  const type = types[entry.type];
  const bytes = type.BYTES_PER_ELEMENT;
  const count = entry.extents.reduce((product, extent) => product * extent, 1);
  const stored = data.subarray(entry.offset, entry.offset + count * bytes);
  if (stored.length !== count * bytes) throw new Error(`the array ${entry.name} is cut short`);
  let values: Numbers;
  if (entry.packing === "differences") {
    const row = entry.extents.slice(1).reduce((product, extent) => product * extent, 1);
    values = new type(undoDifferences(stored, count, bytes, row));
  } else {
    values = new type(stored.slice().buffer);
  }
  if (entry.scale === undefined) return values;
  const scaled = new Float32Array(count);
  for (let i = 0; i < count; ++i) scaled[i] = values[i] * entry.scale;
  return scaled;
}

export function readChunk(bytes: Uint8Array): Chunk {
  if (String.fromCharCode(...bytes.subarray(0, 4)) !== "ABUT") throw new Error("not a chunk of a playback");
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + size)));
  const start = Math.ceil((8 + size) / 8) * 8;
  const data = bytes.subarray(start);
  const arrays = new Map<string, Numbers>();
  for (const entry of header.arrays as ArrayEntry[]) arrays.set(entry.name, readArray(data, entry));
  return { kind: header.kind, notes: header, arrays };
}

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/// A chunk as it stands in the page: gzip, in base64.
export async function unpackChunk(text: string): Promise<Chunk> {
  const stream = new Blob([bytesOfBase64(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return readChunk(new Uint8Array(await new Response(stream).arrayBuffer()));
}
