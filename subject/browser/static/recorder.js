// From the microphone's blocks to takes: a short ring of pre-roll and nothing else outside takes, a press that moves it into a take, a
// release that ends the take one tail later, and every sample either in it or told as missing.

import { now, stamp } from "./clock.js";
import { StreamClock } from "./stream_clock.js";
import { finders } from "./stretches.js";

const HEALTHY_LAG_MS = 250;
const STALL_MS = 1000;
const PATIENCE_MS = 2000;
const DEAF_TICKS = 16;
const LONGEST_WARM_UP_MS = 3000;
// Firefox hands out what had piled up while it opened the microphone, then leaves up to a second out, and counts neither.
const STUMBLING_MS = 1000;
const NO_SAMPLES = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

export class Recorder {
  /** `told` is {fact(fact), frame(take, first, samples), level(level), changed(), ready(), deaf()}; `settings` are those of the session. */
  constructor(takes, settings, told) {
    Object.assign(this, { takes, settings, told });
    this.take = null;
    this.stream = null;
    this.total = 0;
    this.ring = new Int16Array();
    this.window = [];
    this.stalled = this.ready = false;
    this.spokenUntil = -Infinity;
  }

  /** The system was heard until this moment: no take that begins later reaches back so far, unless the subject may break in. */
  spoke(moment) {
    if (this.settings.pause_ms) this.spokenUntil = moment;
  }

  /** Samples come from here on: `rate` a second, `latency` ms after they were captured, from the microphone `label`. */
  open({ rate, latency, label }) {
    this.end("microphone changed");
    Object.assign(this, { rate, label, total: 0, window: [], stalled: false, ready: false, empty: 0 });
    this.stream = new StreamClock(rate, latency);
    this.opened = now();
    this.forget();
  }

  get held() {
    return this.take !== null && this.take.released === null ? this.take.name : "";
  }

  get lamp() {
    return this.take !== null && this.take.started ? this.take.name : "";
  }

  // --- the stream

  block({ pcm, lost }) {
    if (!this.stream) return;
    const arrival = now();
    this.stalled = false;
    this.empty = 0;
    if (lost) {
      this.stream.skip(lost);
      this.miss(this.total, lost, "the browser left them out");
    }
    this.total += pcm.length;
    const gap = this.stream.feed(this.total, arrival);
    this.distribute(pcm);
    if (gap) this.miss(gap.at, gap.samples, "missing by the clock; the browser said nothing");
    this.measure(pcm);
    if (!this.ready) this.warmUp();
  }

  /** A browser stumbles while it opens a microphone: a take may begin as soon as a whole pre-roll came after that, without a gap. */
  warmUp() {
    const longest = (this.rate * LONGEST_WARM_UP_MS) / 1000;
    if (this.ring.length < this.capacity && this.total < longest) return;
    this.ready = true;
    this.told.ready();
  }

  miss(place, samples, detail) {
    if (this.ready || this.take) this.trouble("gap", place, samples, detail);
    this.forget();
  }

  get capacity() {
    return Math.floor((this.rate * this.settings.pre_roll_ms) / 1000);
  }

  forget() {
    this.ring = new Int16Array();
  }

  distribute(pcm) {
    if (this.take === null) {
      this.keep(pcm);
      return;
    }
    if (this.take.start === null) this.join(new Int16Array(), this.total - pcm.length);
    const room = this.take.stop === null ? pcm.length : Math.max(0, this.take.stop - this.take.count);
    this.feed(pcm.subarray(0, room));
    if (!this.take.started) this.starts();
    if (this.take.stop !== null && this.take.count >= this.take.stop) this.seal();
    if (this.take === null) this.keep(pcm.subarray(room));
  }

  keep(pcm) {
    const { capacity } = this;
    if (this.total < (this.rate * STUMBLING_MS) / 1000) return;
    const both = new Int16Array(this.ring.length + pcm.length);
    both.set(this.ring);
    both.set(pcm, this.ring.length);
    this.ring = both.slice(Math.max(0, both.length - capacity));
  }

  measure(pcm) {
    this.window.push(...pcm);
    if (this.window.length < this.rate / 10) return;
    let peak = 0;
    let power = 0;
    for (const sample of this.window) {
      peak = Math.max(peak, Math.abs(sample));
      power += sample * sample;
    }
    const rms = Math.sqrt(power / this.window.length) / 32768;
    this.window = [];
    this.told.level({ end: this.total, peak: Math.min(1, peak / 32768), rms: Math.min(1, rms) });
  }

  // --- takes

  /** Begin take `name` at the stamp `at`, or go on with one in its tail; the take's name, empty when one is held already. */
  press(name, at, moment) {
    if (this.take !== null) {
      if (this.take.released === null) return "";
      this.take.released = this.take.stop = null;
      this.told.changed();
      return this.take.name;
    }
    this.take = { name, pressed: moment, pressedAt: at, released: null, start: null, count: 0, stop: null, tail: 0, started: false };
    if (this.stream?.running) {
      const end = this.total;
      const press = this.stream.sampleAt(moment);
      const healthy = !this.stream.lagging && press >= end && press - end <= (this.rate * HEALTHY_LAG_MS) / 1000;
      const stale = now() - this.stream.lastArrival > STALL_MS;
      const first = Math.max(end - this.ring.length, this.stream.sampleAt(this.spokenUntil) + 1);
      const start = stale ? end : Math.min(Math.max((healthy ? press : end) - this.capacity, first), end);
      this.join(this.ring.slice(this.ring.length - (end - start)), start, press);
    }
    this.told.changed();
    return name;
  }

  /** The take's first sample is number `start` of the stream; `samples` are those from there on that are here already. */
  join(samples, start, press = start) {
    const { take } = this;
    take.start = start;
    take.preRoll = Math.max(0, press - start);
    const anchor = this.stream.running ? this.stream.timeOf(start) : now();
    take.header = {
      rate: this.rate,
      microphone: this.label,
      at: stamp(anchor),
      pre_roll: take.preRoll,
      uncertainty: Math.round(this.stream.uncertainty * 1e6),
    };
    take.finders = finders(this.rate);
    this.takes.begin(take.name, take.header);
    this.forget();
    this.feed(samples);
    this.setEnd();
  }

  feed(samples) {
    const { take } = this;
    if (!samples.length) return;
    const first = take.count;
    const whole = samples.slice();
    take.count += whole.length;
    for (const finder of take.finders) for (const found of finder.feed(first, whole)) this.stretch(found);
    this.takes.append(take.name, whole);
    const step = Math.round(this.rate / 50);
    for (let at = 0; at < whole.length; at += step) this.told.frame(take.name, first + at, whole.subarray(at, at + step));
  }

  starts() {
    this.take.started = true;
    this.told.fact(started(this.take.name, this.take.header), `${this.take.name}-started`);
    this.told.changed();
  }

  /** The button went up at a moment, or the take ends without a `tail`; false where that take is not held. */
  release(name, moment, tail = true) {
    if (this.held !== name || !name) return false;
    this.take.released = moment;
    this.take.tailless = !tail;
    this.setEnd();
    if (this.take.stop !== null && this.take.count >= this.take.stop) this.seal();
    this.told.changed();
    return true;
  }

  setEnd() {
    const { take } = this;
    if (take.released === null || take.start === null) return;
    const released = Math.max(0, (this.stream.running ? this.stream.sampleAt(take.released) : this.total) - take.start);
    take.releasedAt = released;
    const tail = take.tailless ? 0 : Math.floor((this.rate * this.settings.tail_ms) / 1000);
    take.stop = Math.max(take.count, released + tail);
  }

  /** Whatever is being recorded ends here. */
  end(why) {
    const { take } = this;
    if (take === null) return;
    const gap = this.stream?.settle();
    if (gap) this.miss(gap.at, gap.samples, "missing by the clock; the browser said nothing");
    if (take.released === null) {
      take.released = now();
      this.told.fact({ type: "TalkReleased", at: stamp(take.released), take: take.name, why }, `${take.name}-${why.replaceAll(" ", "_")}`);
      this.setEnd();
    }
    this.seal();
  }

  seal() {
    const { take } = this;
    this.take = null;
    if (take.stop !== null && take.count < take.stop)
      this.report("gap", take.name, take.count, take.stop - take.count, "the stream ended before the tail did");
    for (const finder of take.finders ?? []) for (const found of finder.finish()) this.stretch(found, take);
    if (take.start === null) {
      this.told.fact(stopped(take.name, { samples: 0, sha256: NO_SAMPLES }, 0), `${take.name}-stopped`);
    } else {
      if (!take.started) this.told.fact(started(take.name, take.header), `${take.name}-started`);
      const tail = Math.max(0, Math.min(take.count, take.stop ?? take.count) - (take.releasedAt ?? take.count));
      this.told.sealing(
        this.takes.seal(take.name).then((sealed) => {
          this.told.fact(stopped(take.name, sealed, tail), `${take.name}-stopped`);
        }),
      );
    }
    this.last = { ...take, end: take.start === null ? null : take.start + take.count };
    this.told.changed();
  }

  // --- time

  /** To be called four times a second. Four seconds of calls without a block are more than a stall; a sleeping laptop calls nothing. */
  tick() {
    const { take, stream } = this;
    if (!stream) return;
    if (++this.empty % DEAF_TICKS === 0) this.told.deaf();
    const silent = now() - (stream.running ? stream.lastArrival : this.opened);
    if (silent > (stream.running ? STALL_MS : 4 * STALL_MS) && !this.stalled) {
      this.stalled = true;
      this.trouble("stall", this.total, 0, `no sound for ${(silent / 1000).toFixed(1)} s`);
    }
    if (take === null) return;
    if (take.released === null) {
      if (now() - take.pressed >= this.settings.longest_s * 1000) {
        this.told.fact({ type: "TalkReleased", at: stamp(), take: take.name, why: "longest" }, `${take.name}-longest`);
        this.release(take.name, now());
      }
    } else if (now() - take.released > this.settings.tail_ms + PATIENCE_MS) this.seal();
    if (this.take !== null) this.takes.flush(take.name);
  }

  // --- telling

  stretch({ trouble, at, samples }, take = this.take) {
    this.report(trouble, take.name, at, samples, "");
  }

  /** Trouble at a place of the stream: in the take that it lies in, else in none. */
  trouble(trouble, place, samples, detail) {
    const within = [this.take, this.last].find(
      (take) => take && take.start !== null && place >= take.start && (take.end === undefined || place < take.end),
    );
    this.report(trouble, within ? within.name : "", within ? place - within.start : place, samples, detail);
  }

  report(trouble, take, at, samples, detail) {
    this.told.fact({ type: "AudioTroubled", at: stamp(), take, trouble, letter: "s", at_sample: at, samples, detail });
  }
}

export const started = (take, header) => ({
  type: "RecordingStarted",
  at: header.at,
  take,
  channels: [{ letter: "s", microphone: header.microphone, rate: header.rate }],
  pre_roll: header.pre_roll,
  uncertainty: header.uncertainty,
});

export const stopped = (take, { samples, sha256 }, tail, recovered = false) => ({
  type: "RecordingStopped",
  at: stamp(),
  take,
  sealed: [{ letter: "s", samples, sha256 }],
  tail,
  recovered,
});
