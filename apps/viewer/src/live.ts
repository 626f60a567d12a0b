// A run that goes on while it is shown: asks the program for more as time passes, and lets the
// pointer pull at bodies.

import * as THREE from "three";
import type { App } from "./app";
import type { Link, Notice, Parameters } from "./data/link";
import { Grip } from "./stage/grip";

/// How far ahead of the picture the simulation is kept, seconds of the clock: long enough that no
/// picture waits for it, short enough that a pull is felt at once.
const lead = 0.08;
/// How often a pull is told, ms.
const pullInterval = 33;
/// How far the program looks for the next event, simulated seconds.
const longestSearch = 10;
/// Over which the pace is measured, s.
const paceTime = 0.5;

export class Live {
  failure = "";
  isOver = false;
  wasRefused = false; // it is over before it began
  /// Simulated seconds per second, as a part of what was asked for; 1: it keeps up.
  pace = 1;
  parameters: Parameters = { gravity: null, friction: null, restitution: null };
  readonly grip: Grip;
  /// How the search for the next event goes, or went; empty if there is nothing to say.
  search = "";
  private awaited: "frame" | "event" | null = null;
  private lastPull = 0;
  private measured = { wall: 0, time: 0 };

  constructor(private readonly app: App, private readonly link: Link) {
    const { store, run } = app;
    this.grip = new Grip(app);
    store.ahead = (what) => this.step(what);
    link.onChunk = (chunk) => {
      run.add(chunk);
      if (chunk.kind === "frames") store.changed("data");
      if (chunk.kind === "frames") this.arrive();
    };
    link.onNotice = (notice) => this.hear(notice);
    link.onClose = (wasOpen) => {
      this.isOver = true;
      this.wasRefused = !wasOpen;
      store.play(false);
      store.changed("live");
    };
  }

  /// Called before every picture; `elapsed` seconds have passed.
  tick(now: number, elapsed: number): void {
    const { store, run } = this.app;
    this.grip.follow(now - this.lastPull > pullInterval ? (pull) => this.pull(pull, now) : null);
    if (!store.playing || this.isOver) return;
    if (this.search) this.stopSearch();
    this.search = "";
    // Where pictures take long, the next one shows a later time.
    this.link.reach(store.time + Math.max(lead, 2 * elapsed) * store.speed);
    const wanted = store.time + elapsed * store.speed;
    const before = store.time;
    store.seek(Math.min(wanted, run.end));
    this.measure(elapsed, store.time - before);
  }

  private measure(elapsed: number, passed: number): void {
    const { measured } = this;
    measured.wall += elapsed;
    measured.time += passed;
    if (measured.wall < paceTime) return;
    this.pace = measured.time / (measured.wall * this.app.store.speed);
    this.measured = { wall: 0, time: 0 };
    this.app.store.changed("live");
  }

  private step(what: "frame" | "event"): void {
    if (this.isOver) return;
    this.app.store.play(false);
    this.awaited = what;
    this.search = what === "event" ? `Looking for the next event, for up to ${longestSearch} simulated seconds.` : "";
    if (what === "event") this.link.send({ do: "step" });
    else this.link.reach(this.app.run.end + 1e-9);
    this.app.store.changed("live");
  }
  get isSearching(): boolean {
    return this.awaited === "event";
  }
  stopSearch(): void {
    if (!this.isSearching) return;
    this.awaited = null;
    this.search = "";
    this.link.stop();
    this.app.store.changed("live");
  }

  private arrive(): void {
    const { store, run } = this.app;
    if (this.awaited === "frame" && run.end > store.time) {
      this.awaited = null;
      store.stepFrame(1);
    }
  }

  private hear(notice: Notice): void {
    const { store, run } = this.app;
    if (notice.begin) {
      run.clear();
      this.failure = this.search = "";
      this.awaited = null;
      store.event = store.contact = -1;
      store.time = 0;
      store.changed("data");
      store.changed("selection");
      store.changed("time");
    }
    if (notice.stepped !== undefined && this.awaited === "event") {
      this.awaited = null;
      this.search = "";
      store.stepEvent(1);
    }
    if (notice.searched !== undefined && this.awaited === "event") {
      this.awaited = null;
      this.search = `Nothing happened in ${longestSearch} simulated seconds. To look on, ask for the next event again.`;
      store.seek(run.end);
    }
    if (notice.reload) location.reload();
    if (notice.failed !== undefined) {
      this.failure = notice.failed;
      this.awaited = null;
      store.play(false);
    }
    if (notice.went_on) this.failure = "";
    store.changed("live");
  }

  restart(): void {
    this.grip.drop();
    this.link.restart();
    this.app.store.play(true);
  }
  set(parameters: Parameters): void {
    this.parameters = parameters;
    this.link.send({ do: "set", ...parameters });
  }

  /// Takes hold of a body under the pointer; false if there is none that yields.
  grab(ray: THREE.Ray, body: number, point: THREE.Vector3): boolean {
    if (this.isOver || this.app.run.header.bodies[body]?.motion !== "dynamic") return false;
    this.app.store.seek(this.app.run.end); // pulls act on the present
    this.grip.take(body, point, ray);
    return true;
  }
  release(): void {
    if (!this.grip.isHeld) return;
    const pulled = this.grip.wasPulled;
    this.grip.drop();
    if (pulled) this.link.send({ do: "release" });
  }
  private pull(pull: { body: number; point: number[]; target: number[] }, now: number): void {
    this.lastPull = now;
    this.link.send({ do: "grab", ...pull });
  }
}
