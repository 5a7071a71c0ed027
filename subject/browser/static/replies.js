// What is to be heard, on its way to the loudspeaker: pieces put together, checked by their hash, and told until they are over.

import { momentOf, stamp } from "./clock.js";

const HEADER = 41;
const HASH = 33;
const DAMAGED = "the sound did not arrive as it was made";
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export class Replies {
  /** `told` is {fact(fact, id), play(reply, pcm, rate), spoke(moment), quiet()}. */
  constructor(told) {
    this.told = told;
    this.arriving = null;
    this.held = new Set();
    this.loud = false;
    this.checking = Promise.resolve();
  }

  /** A sound of so many samples follows in pieces. */
  expect({ reply, samples, sha256, rate }) {
    if (this.held.has(reply)) return;
    this.arriving = { reply, samples, sha256, rate, pcm: new Uint8Array(2 * samples), have: 0 };
  }

  /** A piece: a mark, the hash of the whole, the number of its first sample, its samples. */
  piece(frame) {
    const { arriving } = this;
    const bytes = new Uint8Array(frame);
    if (!arriving || hex(bytes.subarray(1, HASH)) !== arriving.sha256) return;
    const first = Number(new DataView(frame).getBigUint64(HASH));
    const pcm = bytes.subarray(HEADER);
    const fits = 2 * first === arriving.have && arriving.have + pcm.length <= arriving.pcm.length;
    if (fits) {
      arriving.pcm.set(pcm, arriving.have);
      arriving.have += pcm.length;
    }
    if (fits && arriving.have < arriving.pcm.length) return;
    this.arriving = null;
    this.held.add(arriving.reply);
    this.loud = true;
    this.checking = this.checking.then(() => this.check(arriving));
  }

  async check({ reply, pcm, have, sha256, rate }) {
    const found = have === pcm.length ? hex(new Uint8Array(await crypto.subtle.digest("SHA-256", pcm))) : "";
    if (found === sha256) return this.told.play(reply, pcm.buffer, rate);
    this.over(reply, 0, "failed", DAMAGED, stamp());
    this.quiet();
  }

  began(reply, at) {
    this.told.fact({ type: "PlaybackStarted", at, reply }, `${reply}-began`);
  }

  over(reply, samples, why, detail, at) {
    if (samples) this.told.spoke(momentOf(at));
    this.told.fact({ type: "PlaybackStopped", at, reply, samples, why, detail }, `${reply}-ended`);
    this.held.delete(reply);
  }

  quiet() {
    this.loud = false;
    this.told.quiet();
  }

  /** The connection is another one: what had come in part comes again. */
  lost() {
    this.arriving = null;
  }
}
