// Turns the microphone's quanta into blocks of 20 ms of 16-bit samples, and counts the frames that never came.

class Capture extends AudioWorkletProcessor {
  constructor() {
    super();
    this.block = new Int16Array(Math.round(sampleRate / 50));
    this.filled = 0;
    this.next = null;
    this.lost = 0;
    this.out = null;
    this.port.onmessage = (event) => {
      this.out = event.data;
    };
  }

  process(inputs) {
    const channel = inputs[0] && inputs[0][0];
    const frames = channel ? channel.length : 128;
    if (this.next !== null && currentFrame > this.next) this.miss(currentFrame - this.next);
    this.next = currentFrame + frames;
    if (!this.out) return true;
    if (!channel) this.miss(frames);
    else for (const sample of channel) this.add(sample);
    return true;
  }

  add(sample) {
    this.block[this.filled++] = Math.max(-32768, Math.min(32767, Math.round(sample * 32768)));
    if (this.filled === this.block.length) this.flush();
  }

  miss(frames) {
    if (this.filled) this.flush();
    this.lost += frames;
  }

  flush() {
    const pcm = this.block.slice(0, this.filled);
    this.filled = 0;
    this.out?.postMessage({ pcm, lost: this.lost }, [pcm.buffer]);
    this.lost = 0;
  }
}

registerProcessor("capture", Capture);
