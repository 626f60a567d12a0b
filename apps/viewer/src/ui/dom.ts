// Small help with the page. Texts are always set as text, never as markup: names in a scene may
// hold anything.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: Event) => void) | undefined>;

/// Makes an element. Attributes that are functions listen: {click: () => ...}.
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/// A picture from a path of a 24 x 24 grid.
export function icon(path: string): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS(space, "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}

/// Six digits, or powers of ten where a number is very large or small.
export function number(x: unknown, digits = 5): string {
  if (typeof x !== "number" || !Number.isFinite(x)) return x === null || x === undefined ? "–" : String(x);
  if (x === 0) return "0";
  if (Number.isInteger(x) && Math.abs(x) < 1e7) return String(x);
  const size = Math.abs(x);
  const text = size >= 1e-3 && size < 1e6 ? String(Number(x.toPrecision(digits))) : Number(x.toPrecision(Math.min(digits, 4))).toExponential();
  return text.replace("e+", "e").replace(/-/g, "\u2212");
}

/// Components that are nothing beside the largest are shown as zero.
export function vector(v: ArrayLike<number>, digits = 4): string {
  const list = Array.from(v);
  const least = 1e-12 * Math.max(...list.map(Math.abs));
  return `(${list.map((x) => number(Math.abs(x) < least ? 0 : x, digits)).join(", ")})`;
}

/// Names may be very long, or of another direction of writing.
export function nameElement(name: string, longest = 60): HTMLElement {
  const shown = name.length > longest ? `${name.slice(0, longest)}…` : name;
  return h("bdi", { class: "name", title: name.slice(0, 500) }, shown || "(no name)");
}

export function download(fileName: string, type: string, content: BlobPart): void {
  const link = h("a", { href: URL.createObjectURL(new Blob([content], { type })), download: fileName });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
