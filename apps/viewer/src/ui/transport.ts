// Play, pause, scrub, step, speed.

import { h, icon, number } from "./dom";
import type { Store } from "./store";
import { accents } from "../stage/palette";

const paths = {
  play: "M7 4v16l13-8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  first: "M6 5h2v14H6zM19 5v14L9 12z",
  last: "M16 5h2v14h-2zM5 5v14l10-7z",
  back: "M15 5v14l-9-7z",
  forward: "M9 5v14l9-7z",
  eventBack: "M6 5h2v14H6zM12 12l6-7v14zM21 5v14h-1V5z",
  eventForward: "M16 5h2v14h-2zM12 12L6 5v14zM3 5h1v14H3z",
};

function speedText(speed: number): string {
  return speed >= 1 ? `${speed}×` : `1/${Math.round(1 / speed)}×`;
}

export function transport(store: Store): HTMLElement {
  const { run } = store;
  const button = (label: string, path: string, action: () => void) =>
    h("button", { type: "button", title: label, "aria-label": label.replace(/ \(.*/, ""), click: action }, icon(path));

  const play = button("Play (space)", paths.play, () => store.play());
  play.classList.add("play");
  play.id = "play";
  const slider = h("input", {
    type: "range",
    id: "scrubber",
    min: run.start,
    max: run.end > run.start ? run.end : run.start + 1,
    step: "any",
    value: run.start,
    "aria-label": "Time",
    input: () => {
      store.playing = false;
      store.changed("playing");
      store.seek(Number(slider.value));
    },
  });
  const ticks = h("canvas", { class: "ticks", "aria-hidden": "true" });
  const clock = h("output", { class: "clock", id: "clock" });
  const speed = h("select", {
    id: "speed",
    title: "Speed ([ and ])",
    "aria-label": "Speed",
    change: () => store.setSpeed(Number(speed.value)),
  });
  for (const s of store.speeds) speed.append(h("option", { value: s }, speedText(s)));

  const bar = h(
    "div",
    { class: "transport" },
    h("div", { class: "scrub" }, ticks, slider),
    h(
      "div",
      { class: "buttons" },
      button("To the start (Home)", paths.first, () => store.seek(run.start)),
      button("Event before (Shift + ←)", paths.eventBack, () => store.stepEvent(-1)),
      button("Frame back (←)", paths.back, () => store.stepFrame(-1)),
      play,
      button("Frame forward (→)", paths.forward, () => store.stepFrame(1)),
      button("Next event (Shift + →)", paths.eventForward, () => store.stepEvent(1)),
      button("To the end (End)", paths.last, () => store.seek(run.end)),
      h("span", { class: "spacer" }),
      clock,
      speed,
    ),
  );

  const digits = run.isLive || run.end === run.start ? 3 : Math.max(0, Math.min(9, 3 - Math.floor(Math.log10(Math.max(run.end - run.start, 1e-9)))));
  const showTime = () => {
    slider.value = String(store.time);
    const part = run.end > run.start ? (store.time - run.start) / (run.end - run.start) : 0;
    bar.style.setProperty("--played", `${100 * part}%`);
    clock.textContent = `${store.time.toFixed(digits)} s`;
    clock.title = `${number(store.time, 12)} s of ${number(run.end, 6)} s`;
  };
  const showState = () => {
    play.replaceChildren(icon(store.playing ? paths.pause : paths.play));
    play.setAttribute("aria-label", store.playing ? "Pause" : "Play");
  };
  const showSpeed = () => (speed.value = String(store.speed));
  let marks = 0;
  const showData = () => {
    slider.min = String(run.start);
    slider.max = String(run.end > run.start ? run.end : run.start + 1);
    showTime();
    // Marks of events are many, and need not be right at once.
    if (marks === 0) marks = window.setTimeout(() => ((marks = 0), drawTicks(ticks, store)), 250);
  };
  store.on((key) => {
    if (key === "data") showData();
    else if (key === "time") showTime();
    else if (key === "playing") showState();
    else if (key === "speed") showSpeed();
  });
  showTime();
  showSpeed();
  new ResizeObserver(() => drawTicks(ticks, store)).observe(ticks);
  return bar;
}

/// A mark for every event, the denser the darker.
function drawTicks(canvas: HTMLCanvasElement, store: Store): void {
  const { run } = store;
  const scale = window.devicePixelRatio;
  const width = Math.round(canvas.clientWidth * scale);
  const height = Math.round(canvas.clientHeight * scale);
  if (width === 0 || height === 0) return;
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d")!;
  const counts = new Float64Array(width);
  const span = run.end - run.start || 1;
  for (const event of run.events) counts[Math.min(width - 1, Math.max(0, Math.round(((event.time - run.start) / span) * (width - 1))))] += 1;
  context.fillStyle = accents.event;
  counts.forEach((count, x) => {
    if (count === 0) return;
    context.globalAlpha = Math.min(1, 0.45 + 0.1 * count);
    context.fillRect(x - 0.5 * scale, 0, Math.max(scale, 1), height);
  });
}
