// What is shown and selected. Everything on the page follows from this and from the run.

import type { Run } from "../data/run";

export interface Overlays {
  contacts: boolean;
  normals: boolean;
  forces: boolean;
  regions: boolean;
  joints: boolean;
  velocity: boolean;
  trails: boolean;
  names: boolean;
  boxes: boolean;
  edges: boolean;
  xray: boolean;
  witness: boolean;
}

export type Key = "time" | "playing" | "speed" | "selection" | "follow" | "hidden" | "overlays" | "theme" | "arrows" | "data" | "live";

/// Simulated seconds per second: a few around true time and, for runs of microseconds or hours, the powers
/// of ten that it takes to see them.
export function speedsFor(duration: number): number[] {
  const size = duration > 0 ? Math.floor(Math.log10(Math.max(duration, 1e-12))) : 0;
  const far: number[] = [];
  for (let power = Math.max(size - 2, -14); power < -3 && power <= size; ++power) far.push(Number(`1e${power}`));
  for (let power = 3; power < size; ++power) far.push(10 ** power);
  return [...far, 0.001, 0.01, 0.1, 0.25, 0.5, 1, 2, 5, 10, 100].sort((a, b) => a - b);
}

/// True time, unless the run would be over in a blink or take minutes.
function firstSpeed(duration: number, speeds: number[]): number {
  if (duration === 0 || (duration >= shortest && duration <= longest)) return 1;
  return speeds.findLast((speed) => duration / speed >= pleasant) ?? 1;
}
const shortest = 0.5; // s
const longest = 120;
const pleasant = 4;

export class Store {
  time: number;
  playing = false;
  readonly speeds: number[];
  speed: number;
  body = -1; // selected
  contact = -1; // selected, index among those of the frame shown
  event = -1; // selected
  other = -1; // the second body of a selected pair
  follow = false;
  hidden = new Set<number>();
  arrows = 1; // scale of arrows
  dark: boolean;
  overlays: Overlays = {
    contacts: true,
    normals: false,
    forces: true,
    regions: true,
    joints: true,
    velocity: false,
    trails: false,
    names: false,
    boxes: false,
    edges: true,
    xray: false,
    witness: true,
  };
  private readonly listeners: ((key: Key) => void)[] = [];

  constructor(readonly run: Run) {
    this.time = run.start;
    this.speeds = speedsFor(run.end - run.start);
    this.speed = firstSpeed(run.end - run.start, this.speeds);
    this.dark = window.matchMedia?.("(prefers-color-scheme: dark)").matches ?? false;
  }

  on(listener: (key: Key) => void): void {
    this.listeners.push(listener);
  }
  changed(key: Key): void {
    for (const listener of this.listeners) listener(key);
  }

  seek(time: number): void {
    this.time = Math.min(Math.max(time, this.run.start), this.run.end);
    this.changed("time");
  }
  play(playing = !this.playing): void {
    const { isLive, start, end } = this.run;
    if (playing && !isLive && this.time >= end) this.time = start;
    this.playing = playing && (isLive || end > start);
    this.changed("playing");
    this.changed("time");
  }
  setSpeed(speed: number): void {
    this.speed = speed;
    this.changed("speed");
  }
  stepSpeed(direction: number): void {
    const i = this.speeds.findIndex((s) => s >= this.speed * 0.999);
    this.setSpeed(this.speeds[Math.min(Math.max(i + direction, 0), this.speeds.length - 1)]);
  }

  /// To the next or previous recorded frame with another time.
  stepFrame(direction: number): void {
    const { frames } = this.run;
    if (frames.count === 0) return;
    let frame = frames.frameAt(this.time);
    const now = this.time;
    if (direction > 0 && now >= this.run.end && this.ahead) return this.ahead("frame");
    if (direction < 0 && frames.time(frame) < now) {
      this.seek(frames.time(frame));
      return;
    }
    while (frame + direction >= 0 && frame + direction < frames.count) {
      frame += direction;
      if (frames.time(frame) !== now) break;
    }
    this.seek(frames.time(frame));
  }

  /// To the next or previous time at which something happened, among `events`.
  stepEvent(direction: number, events = this.run.events): void {
    const next =
      direction > 0
        ? events.find((event) => event.time > this.time)
        : events.findLast((event) => event.time < this.time);
    if (next) this.selectEvent(next.index);
    else if (direction > 0) this.ahead?.("event");
  }
  /// Asks for the next frame or event of a run that goes on, at the end of what there is.
  ahead: ((what: "frame" | "event") => void) | null = null;

  selectEvent(index: number): void {
    this.event = index;
    this.contact = -1;
    this.playing = false;
    this.changed("playing");
    this.changed("selection");
    this.seek(this.run.events[index].time);
  }
  selectBody(body: number): void {
    this.body = body;
    this.other = -1;
    this.contact = -1;
    if (body < 0) this.follow = false;
    this.changed("selection");
    this.changed("follow");
  }
  /// With the one that is selected, a pair.
  selectOther(body: number): void {
    this.other = body !== this.body && this.body >= 0 ? body : -1;
    this.changed("selection");
  }
  selectContact(index: number): void {
    this.contact = index;
    this.changed("selection");
  }
  toggleFollow(): void {
    this.follow = !this.follow && this.body >= 0;
    this.changed("follow");
  }
  toggleHidden(body: number): void {
    if (!this.hidden.delete(body)) this.hidden.add(body);
    this.changed("hidden");
  }
  toggle(overlay: keyof Overlays): void {
    this.overlays[overlay] = !this.overlays[overlay];
    this.changed("overlays");
  }
  toggleTheme(): void {
    this.dark = !this.dark;
    this.changed("theme");
  }
}
