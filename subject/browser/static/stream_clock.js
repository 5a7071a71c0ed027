// When a sample was captured, from the count of samples and the moments at which blocks arrive: no block arrives before its last
// sample was captured, so the earliest arrival of the last seconds ties the stream to the clock. When even that one falls back and
// stays there, so much sound is missing although nobody said so. Milliseconds throughout.

const BUCKET = 1000;
const KEPT = 5;
const SMALL = 15;
const LARGE = 60;
const SOON = 2000;
const LATER = 10000;

export class StreamClock {
  constructor(rate, latency) {
    this.rate = rate;
    this.latency = latency;
    this.minima = [];
    this.late = null;
    this.lastArrival = 0;
  }

  get running() {
    return this.minima.length > 0;
  }

  get lagging() {
    return this.late !== null && this.late.least - this.earliest() > LARGE;
  }

  earliest() {
    return Math.min(...this.minima.map(([, least]) => least));
  }

  /** Half the width within which a sample's moment lies. */
  get uncertainty() {
    const least = this.minima.map(([, each]) => each);
    return this.latency + (least.length < 2 ? 0 : Math.max(...least) - Math.min(...least));
  }

  /** A block came whose last frame is number `total`; returns a gap, {at, samples}, once it is beyond doubt. */
  feed(total, arrival) {
    const offset = arrival - (total * 1000) / this.rate;
    this.lastArrival = arrival;
    if (this.running && offset - this.earliest() > SMALL) return this.fallBack(total, arrival, offset);
    this.late = null;
    const newest = this.minima.at(-1);
    if (!newest || arrival - newest[0] >= BUCKET) {
      this.minima.push([arrival, offset]);
      if (this.minima.length > KEPT) this.minima.shift();
    } else newest[1] = Math.min(newest[1], offset);
    return null;
  }

  fallBack(total, arrival, offset) {
    const late = this.late ?? { since: total, began: arrival, least: offset };
    late.least = Math.min(late.least, offset);
    this.late = late;
    return this.settle(late.least - this.earliest() > LARGE ? SOON : LATER);
  }

  /** The gap of a stream that has lagged for so long, after which it counts as being on time again. */
  settle(lasting = 200) {
    if (this.late === null || this.lastArrival - this.late.began < lasting) return null;
    const { since, began, least } = this.late;
    const gap = { at: since, samples: Math.floor(((least - this.earliest()) * this.rate) / 1000) };
    this.minima = [[began, least]];
    this.late = null;
    return gap;
  }

  /** So many samples are known to have been lost: the stream does not lag because of them. */
  skip(samples) {
    const shift = (samples * 1000) / this.rate;
    for (const bucket of this.minima) bucket[1] += shift;
  }

  timeOf(sample) {
    return this.earliest() + (sample * 1000) / this.rate - this.latency;
  }

  sampleAt(moment) {
    return Math.round(((moment - this.earliest() + this.latency) * this.rate) / 1000);
  }
}
