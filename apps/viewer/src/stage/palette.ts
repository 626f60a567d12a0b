// Colours that people with any kind of colour vision tell apart (after Okabe and Ito).

import { Color } from "three";
import type { Header } from "../data/header";

export const palette = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a900"];

/// Of things that are drawn over the bodies.
export const accents = {
  contact: "#d55e00",
  force: "#d55e00",
  friction: "#0072b2",
  velocity: "#009e73",
  joint: "#cc79a7",
  event: "#e69f00",
  spring: "#7a7a7a",
};

const fixedGrey = "#9aa3ab";

/// `brick[0,1,2]` is one of the bricks.
export function familyOf(name: string): string {
  const bracket = name.indexOf("[");
  return bracket > 0 ? name.slice(0, bracket) : name;
}

/// Differs from body to body but is always the same.
function variation(i: number): number {
  const x = Math.sin(i * 12.9898) * 43758.5453;
  return x - Math.floor(x);
}

/// A single family that is not larger shows its members in different colours.
const fewMembers = 14;

/// The scene's colours; where it gives none, one of the palette for every family of bodies, each
/// member a little lighter or darker.
export function bodyColors(header: Header): Color[] {
  const families = new Map<string, number>();
  const free = header.bodies.filter((body) => body.motion !== "fixed" && !body.color);
  const oneSmallFamily = new Set(free.map((body) => familyOf(body.name))).size === 1 && free.length <= fewMembers;
  return header.bodies.map((body, i) => {
    if (body.color) return new Color().setRGB(...body.color, "srgb");
    if (body.motion === "fixed") return new Color(fixedGrey);
    const family = oneSmallFamily ? body.name : familyOf(body.name);
    if (!families.has(family)) families.set(family, families.size);
    const color = new Color(palette[families.get(family)! % palette.length]);
    if (family !== body.name) color.offsetHSL(0, 0, 0.16 * (variation(i) - 0.5));
    return color;
  });
}
