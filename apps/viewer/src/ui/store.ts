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
}

export type Key = "time" | "playing" | "speed" | "selection" | "follow" | "hidden" | "overlays" | "theme" | "arrows";

export const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 50, 100];

export class Store {
  time: number;
  playing = false;
  speed = 1;
  body = -1; // selected
  contact = -1; // selected, index among those of the frame shown
  event = -1; // selected
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
  };
  private readonly listeners: ((key: Key) => void)[] = [];

  constructor(readonly run: Run) {
    this.time = run.start;
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
    if (playing && this.time >= this.run.end) this.time = this.run.start;
    this.playing = playing && this.run.end > this.run.start;
    this.changed("playing");
    this.changed("time");
  }
  setSpeed(speed: number): void {
    this.speed = speed;
    this.changed("speed");
  }
  stepSpeed(direction: number): void {
    const i = speeds.findIndex((s) => s >= this.speed * 0.999);
    this.setSpeed(speeds[Math.min(Math.max(i + direction, 0), speeds.length - 1)]);
  }

  /// To the next or previous recorded frame with another time.
  stepFrame(direction: number): void {
    const { frames } = this.run;
    let frame = frames.frameAt(this.time);
    const now = this.time;
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
  }

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
    this.contact = -1;
    if (body < 0) this.follow = false;
    this.changed("selection");
    this.changed("follow");
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
