// What the grid and the arrows measure.

import { accents } from "../stage/palette";
import { h, number } from "./dom";

export interface Scales {
  grid: number; // m between two lines
  force: number; // N of an arrow of the reference length; 0: none is shown
  speed: number; // m/s, likewise
  forceBar: number; // lengths of these arrows at the middle of the picture, pixels
  speedBar: number;
}

export class Legend {
  readonly element = h("div", { class: "legend" });
  private shown = "";

  update(scales: Scales): void {
    const key = JSON.stringify(scales);
    if (key === this.shown) return;
    this.shown = key;
    const swatch = (color: string) => h("i", { class: "swatch", style: `background:${color}` });
    this.element.replaceChildren(h("span", {}, `grid ${number(scales.grid)} m`));
    if (scales.force > 0) this.element.append(h("span", {}, swatch(accents.force), `force ${number(scales.force, 2)} N`, bar(scales.forceBar)));
    if (scales.speed > 0) this.element.append(h("span", {}, swatch(accents.velocity), `velocity ${number(scales.speed, 2)} m/s`, bar(scales.speedBar)));
  }
}

function bar(pixels: number): HTMLElement {
  return h("i", { class: "bar", style: `width:${Math.min(pixels, 300)}px` });
}
