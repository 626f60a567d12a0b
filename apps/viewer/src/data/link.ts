// The connection to the program that serves this page, where there is one.
//
// A recorded run needs it only to tell that the page is still open. A live one hears chunks of the
// playback through it, and tells the program what is wanted.

import { type Chunk, readChunk } from "./chunk";

export interface Parameters {
  gravity: [number, number, number] | null; // null: what the scene says
  friction: number | null;
  restitution: number | null;
}

type Command =
  | { do: "goal"; time: number }
  | { do: "step" | "restart" | "release" }
  | ({ do: "set" } & Parameters)
  | { do: "grab"; body: number; point: number[]; target: number[] };

/// What the program says besides chunks.
export interface Notice {
  begin?: boolean; // a run from time 0 begins
  stepped?: number; // a step ended at this time
  searched?: number; // a step found no event up to this time
  reload?: boolean; // the scene is another one now
  failed?: string; // the motion cannot go on
  went_on?: boolean; // it can again
}

/// The page that this one replaces may hold the connection for a moment.
const mostTries = 4;
const tryInterval = 500; // ms

export class Link {
  onChunk: (chunk: Chunk) => void = () => {};
  onNotice: (notice: Notice) => void = () => {};
  /// `wasOpen` false: it never was, because another page is connected or the program is gone.
  onClose: (wasOpen: boolean) => void = () => {};
  private socket: WebSocket;
  private tries = 0;
  private goal = 0;
  private waiting = true; // for a run to begin; until then what comes belongs to the one before

  constructor(private readonly path: string) {
    this.socket = this.connect();
  }

  private connect(): WebSocket {
    const address = new URL(this.path, location.href);
    address.protocol = "ws:";
    const socket = new WebSocket(address);
    let wasOpen = false;
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => (wasOpen = true));
    socket.addEventListener("close", () => {
      if (wasOpen || ++this.tries >= mostTries) this.onClose(wasOpen);
      else setTimeout(() => (this.socket = this.connect()), tryInterval);
    });
    socket.addEventListener("message", ({ data }) => {
      if (typeof data === "string") this.hear(JSON.parse(data) as Notice);
      else if (!this.waiting) this.onChunk(readChunk(new Uint8Array(data as ArrayBuffer)));
    });
    return socket;
  }

  private hear(notice: Notice): void {
    if (notice.begin) {
      this.goal = 0;
      this.waiting = false;
    }
    this.onNotice(notice);
  }

  send(command: Command): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }
  restart(): void {
    this.waiting = true;
    this.send({ do: "restart" });
  }
  /// No further than was wanted before.
  stop(): void {
    this.send({ do: "goal", time: this.goal });
  }
  /// Simulate up to this time, and wait there.
  reach(time: number): void {
    if (this.waiting || time <= this.goal) return;
    this.goal = time;
    this.send({ do: "goal", time });
  }
}

/// Where the page's program listens, if it was served by one.
export function servedLink(): Link | null {
  const path = document.getElementById("abut-link")?.textContent;
  return path ? new Link(JSON.parse(path) as string) : null;
}
