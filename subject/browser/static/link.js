// The way to the other side: connects, connects again, says everything that was not acknowledged, measures its clock.

import { mono, stamp } from "./clock.js";

const BACKOFF_MS = [100, 200, 500, 1000, 2000];
const SENT_AWAY_MS = [500, 1000, 2000, 5000, 10000, 20000, 60000];
const COMPARE_MS = 4000;
const SILENT_MS = 9000;
const REJECTED = 4001;
const FULL = 64 * 1024;
const LIVE_FULL = 512 * 1024;
const PIECE = 1600;
const AT_ONCE = 300 * PIECE;

/** The frame of samples of a take: a mark, the take, its channel, the number of the first sample, 16-bit little-endian samples. */
function soundFrame(take, first, bytes) {
  const frame = new Uint8Array(36 + bytes.length);
  frame[0] = 65;
  frame.set(new TextEncoder().encode(take).subarray(0, 26), 1);
  frame[27] = 115;
  new DataView(frame.buffer).setBigUint64(28, BigInt(first));
  frame.set(bytes, 36);
  return frame;
}

export class Link {
  /** `hello` makes the first frame's fields; `told` is {message(message), sound(frame), state(up, why)}. */
  constructor(url, journal, takes, hello, told) {
    Object.assign(this, { url, journal, takes, hello, told });
    this.socket = null;
    this.admitted = false;
    this.last = null;
    this.failures = 0;
    this.resending = new Set();
    this.heard = 0;
    setInterval(() => this.compare(), COMPARE_MS);
  }

  connect() {
    clearTimeout(this.again);
    const socket = new WebSocket(this.url);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.heard = performance.now();
      socket.send(JSON.stringify({ m: "hello", at: stamp(), ...this.hello() }));
    };
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = (event) => this.lost(socket, event);
  }

  lost(socket, event) {
    if (socket !== this.socket) return;
    this.failures = this.admitted ? 0 : this.failures + 1;
    this.admitted = false;
    this.last = null;
    const sentAway = event.code === REJECTED;
    this.told.state(false, sentAway ? event.reason : "");
    // Who was sent away is let in at the next knock at most where another page has gone: all night there is no hurry.
    const pauses = sentAway ? SENT_AWAY_MS : BACKOFF_MS;
    this.again = setTimeout(() => this.connect(), pauses[Math.min(this.failures, pauses.length - 1)]);
  }

  receive(frame) {
    this.heard = performance.now();
    if (typeof frame !== "string") return this.told.sound(frame);
    const message = JSON.parse(frame);
    if (message.m === "pong") this.measure(message);
    else if (message.m === "welcome") this.welcome();
    else if (message.m === "ack") this.journal.acknowledge(message.id);
    else if (message.m === "resend") this.resend(message.take, message.ranges);
    else this.told.message(message);
  }

  welcome() {
    this.admitted = true;
    for (const { frame } of this.journal.pending.values()) this.socket.send(frame);
    this.told.state(true, "");
    this.compare();
    setTimeout(() => this.compare(), 50);
  }

  /** Send a text frame if there is a connection; what must not be lost goes through the journal. */
  say(message) {
    this.sayFrame(JSON.stringify(message));
  }

  sayFrame(frame) {
    if (this.admitted && this.socket.readyState === WebSocket.OPEN) this.socket.send(frame);
  }

  sound(take, first, samples) {
    if (this.admitted && this.socket.bufferedAmount < LIVE_FULL)
      this.socket.send(soundFrame(take, first, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)));
  }

  /** Send what the other side lacks of a take, piece by piece, live sound between them. */
  async resend(take, ranges) {
    if (this.resending.has(take)) return;
    this.resending.add(take);
    try {
      for (const [first, count] of ranges)
        for (let from = first; from < first + count; from += AT_ONCE) {
          const bytes = await this.takes.read(take, from, Math.min(AT_ONCE, first + count - from));
          for (let at = 0; at < bytes.length; at += 2 * PIECE) {
            while (this.socket.bufferedAmount > FULL) await new Promise((resolve) => setTimeout(resolve, 20));
            if (!this.admitted) return;
            this.socket.send(soundFrame(take, from + at / 2, bytes.subarray(at, at + 2 * PIECE)));
          }
        }
    } finally {
      this.resending.delete(take);
    }
  }

  // --- the clocks

  compare() {
    if (!this.admitted) return;
    if (performance.now() - this.heard > SILENT_MS) {
      this.socket.close();
      this.lost(this.socket, { code: 0 });
    } else this.say({ m: "ping", sent: mono(), last: this.last });
  }

  measure({ sent, arrived, left }) {
    const back = mono();
    const roundTrip = Math.max(0, back - sent - (left - arrived));
    const offset = Math.round((arrived - sent + (left - back)) / 2);
    this.last = [back, offset, Math.floor(roundTrip / 2) + 1];
  }
}
