// What is wrong with the sound itself: three or more samples at full scale close together, a second without a sign of life.

const FULL = 32767;
const DEAD = 3;

class Stretches {
  constructor(trouble, marked, shortest, bridge, least) {
    Object.assign(this, { trouble, marked, shortest, bridge, least, open: null });
  }

  *feed(first, samples) {
    for (let at = 0; at < samples.length; at++) {
      if (!this.marked(samples[at])) continue;
      const place = first + at;
      if (this.open && place - this.open.end <= this.bridge) {
        this.open.end = place + 1;
        this.open.count++;
      } else {
        yield* this.finish();
        this.open = { start: place, end: place + 1, count: 1 };
      }
    }
    if (this.open && first + samples.length - this.open.end > this.bridge) yield* this.finish();
  }

  *finish() {
    const { open } = this;
    this.open = null;
    if (open && open.end - open.start >= this.shortest && open.count >= this.least)
      yield { trouble: this.trouble, at: open.start, samples: open.end - open.start };
  }
}

/** The finders of one take at `rate` samples a second. */
export const finders = (rate) => [
  new Stretches("clipping", (sample) => Math.abs(sample) >= FULL, 3, Math.floor(rate / 20), 3),
  new Stretches("silence", (sample) => Math.abs(sample) <= DEAD, rate, 0, 1),
];
