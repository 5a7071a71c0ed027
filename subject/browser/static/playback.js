// The loudspeaker: plays what is to be heard one after the other, and tells how much of it was heard, in samples.

import { now, stamp } from "./clock.js";

const SOON_S = 0.02;
const PATIENCE_MS = 10000;
const UNTOUCHED = "the browser played nothing: nobody had touched the page, or its sound was taken away";

export class Playback {
  /** `told` is {began(reply, at), over(reply, samples, why, detail, at), quiet(), waiting(whether a gesture is needed)}. */
  constructor(told) {
    Object.assign(this, { told, context: null, pause: 0, queue: [], current: null, waits: false });
    document.addEventListener("pointerdown", () => this.resume(), true);
    document.addEventListener("keydown", () => this.resume(), true);
  }

  /** Have the loudspeaker ready; `pause` is how many milliseconds a quiet room is to have been quiet. */
  prepare(pause = this.pause) {
    this.pause = pause;
    if (this.context) return;
    this.context = new AudioContext({ latencyHint: "interactive" });
    this.context.onstatechange = () => this.changed();
  }

  resume() {
    if (this.context && this.context.state !== "running") this.context.resume().catch(() => {});
  }

  play(reply, samples, rate) {
    clearTimeout(this.silence);
    this.queue.push({ reply, samples, rate, started: null });
    try {
      this.prepare();
    } catch (error) {
      return this.fail(String(error?.message ?? error));
    }
    this.next();
  }

  /** Play what the microphone gave just now, while it is tried; nothing is told of that. */
  playBack(samples, rate) {
    this.prepare();
    this.resume();
    this.source(samples, rate).start();
  }

  /** Be silent: what is being played and what waits is interrupted. */
  stop() {
    if (this.current || this.queue.length) this.drop("interrupted", "");
  }

  // --- one after the other

  next() {
    if (this.current || !this.queue.length) return;
    if (this.context.state !== "running") {
      this.wait();
      this.resume();
      return;
    }
    const sound = this.queue.shift();
    this.current = sound;
    sound.source = this.source(sound.samples, sound.rate);
    sound.source.onended = () => setTimeout(() => this.ended(sound), 1000 * this.latency);
    sound.started = this.context.currentTime + SOON_S;
    sound.source.start(sound.started);
    this.told.began(sound.reply, stamp(now() + 1000 * SOON_S));
  }

  source(samples, rate) {
    const buffer = this.context.createBuffer(1, Math.max(1, samples.length), rate);
    const channel = buffer.getChannelData(0);
    for (let at = 0; at < samples.length; at++) channel[at] = samples[at] / 32768;
    const source = this.context.createBufferSource();
    source.buffer = buffer;
    source.connect(this.context.destination);
    return source;
  }

  get latency() {
    return this.context?.outputLatency || this.context?.baseLatency || 0;
  }

  heard(sound) {
    if (sound.started === null) return 0;
    const seconds = this.context.currentTime - sound.started - this.latency;
    return Math.min(sound.samples.length, Math.max(0, Math.floor(seconds * sound.rate)));
  }

  ended(sound) {
    if (this.current !== sound) return;
    this.current = null;
    this.told.over(sound.reply, sound.samples.length, "ended", "", stamp());
    if (this.queue.length) this.next();
    else this.silence = setTimeout(() => this.told.quiet(), this.pause);
  }

  drop(why, detail) {
    const at = stamp();
    const stopped = [...(this.current ? [this.current] : []), ...this.queue];
    this.current = null;
    this.queue = [];
    this.forget();
    for (const sound of stopped) {
      const samples = this.heard(sound);
      if (sound.source) {
        sound.source.onended = null;
        sound.source.stop();
      }
      this.told.over(sound.reply, samples, why, detail, at);
    }
    this.told.quiet();
  }

  fail(detail) {
    this.drop("failed", detail);
  }

  // --- a browser that plays nothing before the page was touched, or takes the sound away

  changed() {
    if (this.context.state === "running") {
      this.forget();
      this.next();
    } else if (this.current || this.queue.length) this.wait();
  }

  wait() {
    if (this.waits) return;
    this.waits = true;
    this.told.waiting(true);
    this.giving = setTimeout(() => this.fail(UNTOUCHED), PATIENCE_MS);
  }

  forget() {
    clearTimeout(this.giving);
    if (this.waits) this.told.waiting(false);
    this.waits = false;
  }
}
