// Colours that people with any kind of colour vision tell apart (after Okabe and Ito).

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
  witness: "#56b4e9",
};
