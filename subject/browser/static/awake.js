// The screen of a phone, kept on while a visit goes on: one that goes dark takes the microphone with it.

export class Awake {
  constructor() {
    this.wanted = this.held = false;
    document.addEventListener("visibilitychange", () => this.hold());
  }

  /** Have it on from now on, or no longer. A browser that knows nothing of it, or refuses, goes by its own settings. */
  want(wanted) {
    if (wanted === this.wanted) return;
    this.wanted = wanted;
    if (wanted) this.hold();
    else this.lock?.release();
  }

  async hold() {
    if (!this.wanted || this.held || document.hidden || !navigator.wakeLock) return;
    this.held = true;
    try {
      this.lock = await navigator.wakeLock.request("screen");
      this.lock.onrelease = () => { this.held = false; };
      if (!this.wanted) this.lock.release();
    } catch {
      this.held = false;
    }
  }
}
