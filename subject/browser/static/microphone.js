// The microphone as this browser gives it: everything off that would change the sound, and what was really applied told.

const WANTED = { echoCancellation: false, noiseSuppression: false, autoGainControl: false, channelCount: 1 };
const RUNS_WITHIN_MS = 5000;
const FORBIDDEN = "not allowed";

export class Microphone {
  /** `told` is {opened(microphone), lost(why), waiting(whether a gesture is needed)}; under `name` its choice outlives the page. */
  constructor(name, told) {
    this.told = told;
    this.name = name;
    this.device = remembered(name);
    this.opening = false;
    this.context = null;
    document.addEventListener("pointerdown", () => this.resume(), true);
    document.addEventListener("keydown", () => this.resume(), true);
  }

  get open() {
    return this.context !== null;
  }

  /** Open it at `rate` samples a second if the browser can; once, however often it is asked. */
  async start(rate) {
    if (this.opening || this.open) return;
    this.opening = true;
    try {
      await this.connect(rate);
    } catch (error) {
      this.stop();
      if (error?.name === "NotAllowedError") this.forbidden(rate);
      else this.told.lost(String(error?.name ?? error));
    } finally {
      this.opening = false;
    }
  }

  /** Whoever allows it later need not wait until somebody has answered the call. */
  async forbidden(rate) {
    this.told.lost(FORBIDDEN);
    const permission = await permitted();
    if (permission)
      permission.onchange = () => {
        if (permission.state === "granted") this.start(rate);
      };
  }

  async connect(rate) {
    this.stream = await this.given();
    const [track] = this.stream.getAudioTracks();
    const source = await this.source(rate);
    await this.context.audioWorklet.addModule("/static/worklet.js");
    const node = new AudioWorkletNode(this.context, "capture", { numberOfInputs: 1, numberOfOutputs: 1, channelCount: 1, channelCountMode: "explicit" });
    source.connect(node).connect(this.context.destination);
    const channel = new MessageChannel();
    node.port.postMessage(channel.port1, [channel.port1]);
    track.onended = () => this.ended(rate);
    this.context.onstatechange = () => this.told.waiting(this.context?.state === "suspended");
    this.told.waiting(this.context.state === "suspended");
    this.told.opened(this.described(track, channel.port2));
  }

  /** The microphone that was used before, or was chosen; where it is there no longer, the one that the browser offers. */
  async given() {
    try {
      if (this.device) return await navigator.mediaDevices.getUserMedia({ audio: { ...WANTED, deviceId: { exact: this.device } } });
    } catch (error) {
      if (error?.name !== "OverconstrainedError" && error?.name !== "NotFoundError") throw error;
    }
    return navigator.mediaDevices.getUserMedia({ audio: WANTED });
  }

  /** Use this one from the next time on that it is opened. */
  choose(device) {
    this.device = device;
    try {
      localStorage.setItem(this.name, device);
    } catch {
      // a browser that keeps nothing asks again after a reload
    }
  }

  /** The stream in a context of the wanted rate; in one of the device's own where a browser connects no other. */
  async source(rate) {
    try {
      this.context = new AudioContext({ sampleRate: rate, latencyHint: "interactive" });
      return this.context.createMediaStreamSource(this.stream);
    } catch {
      await this.context?.close();
      this.context = new AudioContext({ latencyHint: "interactive" });
      return this.context.createMediaStreamSource(this.stream);
    }
  }

  described(track, port) {
    const applied = track.getSettings();
    this.device = applied.deviceId ?? "";
    const latency = 1000 * ((applied.latency ?? 0.01) + (this.context.baseLatency ?? 0));
    return { port, rate: this.context.sampleRate, latency, label: track.label || "microphone", applied: written(applied) };
  }

  /** After a touch it runs, but for a Firefox that has nothing to play to: it would wait without end. */
  resume() {
    const { context } = this;
    if (context?.state !== "suspended") return;
    context.resume();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      if (context === this.context && context.state === "suspended") this.gone("this browser finds no loudspeaker");
    }, RUNS_WITHIN_MS);
  }

  /** The browser took it away: by its owner's wish, or because it is not there any more. */
  async ended(rate) {
    this.stop();
    if ((await permitted())?.state === "denied") this.forbidden(rate);
    else this.told.lost("unplugged, or taken by another program");
  }

  /** Nothing has come from it for a while: it is gone, unless the browser waits for a touch. */
  deaf() {
    if (this.context?.state === "running") this.gone("nothing came from it for four seconds");
  }

  gone(why) {
    this.stop();
    this.told.lost(why);
  }

  /** Give it back. */
  stop() {
    for (const track of this.stream?.getTracks() ?? []) {
      track.onended = null;
      track.stop();
    }
    if (this.context) {
      this.context.onstatechange = null;
      this.context.close();
    }
    this.stream = this.context = null;
  }

  /** The microphones that there are: [id, name]. */
  static async choices() {
    const devices = await navigator.mediaDevices.enumerateDevices();
    return devices.filter((each) => each.kind === "audioinput" && each.deviceId).map((each) => [each.deviceId, each.label]);
  }
}

/** Whether this page may use a microphone, where the browser tells; a Firefox of yesterday does not. */
async function permitted() {
  try {
    return await navigator.permissions.query({ name: "microphone" });
  } catch {
    return null;
  }
}

function remembered(name) {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

/** The settings that matter for a recording, as the browser says that it applied them. */
function written(applied) {
  const known = ["echoCancellation", "noiseSuppression", "autoGainControl", "channelCount", "sampleRate", "latency"];
  return Object.fromEntries(known.filter((name) => name in applied).map((name) => [name, String(applied[name])]));
}
