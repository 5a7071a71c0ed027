// The screen: renders the parts that come, and passes on what was done in front of it with the moment at which it was done.

import { Awake } from "./awake.js";
import { clock, stamp } from "./clock.js";
import { askGivingUp, askSolution, askWithdrawal, showInstructions } from "./dialogs.js";
import { by, element, say } from "./dom.js";
import { Microphone } from "./microphone.js";
import { Playback } from "./playback.js";
import { Stations } from "./stations.js";
import { Talk } from "./talk.js";
import { hear, Turns } from "./turns.js";

const { elsewhere: ELSEWHERE, noAddress: NO_ADDRESS } = document.body.dataset;
const NOTE_MS = 4000;
const FINGER = matchMedia("(pointer: coarse)").matches;
const RECORDED = ["pressed", "recording"];
const PROGRAM = navigator.userAgent.slice(0, 200);

class Page {
  constructor(visit, token) {
    this.parts = new Map();
    this.link = { up: true, why: "" };
    this.attempt = -1;
    this.awake = new Awake();
    this.note = "";
    this.worker = new Worker("/static/desk.js", { type: "module" });
    this.worker.onmessage = (event) => this.told(event.data);
    this.worker.onerror = () => this.parts.size || window.tooOld();
    this.stations = new Stations(visit, {
      do: (deed) => this.do(deed),
      choose: (device) => this.choose(device),
      playBack: () => this.worker.postMessage({ type: "play-back" }),
    });
    this.turns = new Turns({
      viewed: (spans, reopened) => this.do({ type: "LinesViewed", spans, reopened }),
      sized: (columns, lines) => this.do({ type: "Sized", columns, lines }),
      back: (take) => this.do({ type: "Returned", take }),
    });
    this.playback = new Playback({
      began: (reply, at) => this.worker.postMessage({ type: "began", reply, at }),
      over: (reply, samples, why, detail, at) => this.worker.postMessage({ type: "over", reply, samples, why, detail, at }),
      quiet: () => this.worker.postMessage({ type: "quiet" }),
      waiting: (silent) => {
        this.silent = silent;
        this.show();
      },
    });
    this.talk = new Talk({
      press: (at, moment) => {
        this.playback.stop();
        this.worker.postMessage({ type: "press", at, moment });
      },
      release: (at, moment, why) => this.worker.postMessage({ type: "release", at, moment, why }),
      refused: () => {
        // Who has stopped, or may not be recorded, is not told to wait for a button that never gets ready.
        const screen = this.parts.get("screen");
        this.mention((screen?.microphone === false ? screen.headline : this.labels?.not_now) ?? "");
      },
    });
    this.microphone = new Microphone(`microphone-${visit}`, {
      opened: ({ port, ...rest }) => {
        this.worker.postMessage({ type: "open", port, program: PROGRAM, ...rest }, [port]);
        this.stations.offer(this.microphone.device);
      },
      lost: (why) => this.worker.postMessage({ type: "lose", why }),
      waiting: (gesture) => {
        this.gesture = gesture;
        this.show();
      },
    });
    const files = Boolean(navigator.storage?.getDirectory);
    this.worker.postMessage({ type: "start", clock, visit, token, files, version: "1", finger: FINGER });
    navigator.storage?.persist?.();
    by("typing").addEventListener("submit", (event) => this.type(event));
    by("request").addEventListener("keydown", (event) => this.enter(event));
    window.addEventListener("beforeunload", (event) => {
      if (this.capture?.held || this.full) event.preventDefault();
    });
  }

  get labels() {
    return this.parts.get("settings")?.labels;
  }

  do(deed) {
    this.worker.postMessage({ type: "deed", deed, at: stamp() });
  }

  // --- what comes

  told({ type, ...rest }) {
    if (type === "part") this.part(rest.name, rest.part);
    else if (type === "capture") {
      if (this.capture?.held && !rest.held) this.said();
      this.capture = rest;
      this.talk.captured(rest);
      this.show();
    } else if (type === "level") this.level(rest);
    else if (type === "play") this.playback.play(rest.reply, new Int16Array(rest.pcm), rest.rate);
    else if (type === "play-back") this.playback.playBack(new Int16Array(rest.pcm), rest.rate);
    else if (type === "silence") this.playback.stop();
    else if (type === "room") {
      if (this.full === rest.full) return;
      this.full = rest.full;
      this.show();
    } else if (type === "link") {
      this.link = rest;
      if (rest.up) this.saidOffline = false;
      this.show();
    } else if (type === "deaf") this.microphone.deaf();
    else if (type === "failed") window.tooOld();
  }

  part(name, part) {
    this.parts.set(name, part);
    if (name === "settings") {
      this.talk.settings = part;
      this.turns.labels = part.labels;
      if (part.speaks) this.playback.prepare(part.pause_ms);
      Object.assign(document.documentElement, { lang: part.lang, dir: part.dir });
    } else if (name.startsWith("turn:")) this.turns.part(name.slice(5), part);
    else if (name === "screen") {
      this.talk.screen = part;
      this.show();
      this.useMicrophone(part);
    }
  }

  level({ rms, peak }) {
    const loud = 60 + Math.max(-60, 20 * Math.log10(Math.max(rms, 1e-6)));
    for (const id of ["level", "trial-level"]) if (by(id)) by(id).value = peak >= 0.9999 ? 60 : loud;
  }

  // --- the microphone

  async useMicrophone(screen) {
    if (!screen.microphone) {
      if (this.microphone.open && !this.capture?.held && !this.capture?.lamp) {
        this.microphone.stop();
        this.worker.postMessage({ type: "lose", why: "" });
      }
    } else if (!this.microphone.open && this.attempt !== screen.attempt) {
      this.attempt = screen.attempt;
      await this.microphone.start(this.parts.get("settings").rate);
    }
  }

  async choose(device) {
    this.microphone.choose(device);
    this.microphone.stop();
    await this.microphone.start(this.parts.get("settings").rate);
  }

  // --- what is seen

  mention(note) {
    this.note = note;
    clearTimeout(this.forgetting);
    this.forgetting = setTimeout(() => {
      this.note = "";
      this.show();
    }, NOTE_MS);
    this.show();
  }

  show() {
    const screen = this.parts.get("screen");
    if (!screen) {
      if (this.link.why) say(by("headline"), this.link.why);
      return;
    }
    const { labels, button } = this.parts.get("settings");
    const { held, lamp } = this.capture ?? { held: "", lamp: "" };
    const cutOff = this.talk.cutOff = this.isCutOff(screen);
    const next = cutOff ? (screen.may_talk_next ? labels.may_talk : labels.link_awaited) : screen.headline;
    say(by("headline"), lamp ? button.recording : held ? button.pressed : next);
    const down = this.link.up ? "" : this.link.why || (cutOff || this.saidOffline ? labels.link_down_said : labels.link_down);
    const tap = this.gesture ? labels.tap : this.silent ? labels.tap_sound : "";
    say(by("message"), screen.message || (this.full ? labels.storage : "") || down || tap || this.note);
    by("main").hidden = by("actions").hidden = false;
    const station = this.parts.get("station");
    this.stations.show(station, labels);
    if (this.agreed && !station && screen.may_be_recorded) showInstructions(labels, this.parts.get("instructions").text);
    this.agreed = station?.step === "consent" && Boolean(this.parts.get("instructions").text);
    by("session").hidden = Boolean(station);
    const over = screen.phase === "ended";
    // How things stand is said once: on the talk button where there is one, and to who does not see it as before.
    by("headline").classList.toggle("unseen", !station && !over && !this.parts.get("settings").typed);
    this.awake.want(!over);
    this.showTask(labels, over);
    this.turns.show(screen.order, screen.begun, labels);
    hear(screen.heard, screen.heard_take, (take) => this.do({ type: "Understood", take }));
    this.showInput(screen, labels, over);
    this.talk.show();
    this.showActions(screen, labels, station);
  }

  /** Whether a take is over of which the other side knows only that it began: what it showed last is not true any more. */
  isCutOff({ phase }) {
    return !this.link.up && !this.capture?.held && !this.capture?.lamp && RECORDED.includes(phase);
  }

  /** A request is over; while nobody can be reached it is said what becomes of it. */
  said() {
    this.saidOffline = !this.link.up;
  }

  showTask(labels, over) {
    const task = this.parts.get("task");
    by("task").hidden = over && !task;
    say(by("task-title"), task ? task.title : labels.no_task);
    say(by("task-text"), task ? task.text : "");
    by("task").setAttribute("aria-label", labels.task);
    by("turns").setAttribute("aria-label", labels.dialogue);
  }

  showInput(screen, labels, over) {
    const { typed } = this.parts.get("settings");
    by("typing").hidden = over || !typed;
    by("talking").hidden = over || typed;
    by("level").setAttribute("aria-label", labels.level);
    say(by("type-label"), labels.type_here);
    say(by("send"), labels.send);
    by("send").disabled = !screen.may_type;
  }

  /** Enter sends, as the instructions say; with Shift it begins a line, and while a word is being composed it is that word's. */
  enter(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    by("typing").requestSubmit();
  }

  type(event) {
    event.preventDefault();
    const words = by("request");
    if (!this.parts.get("screen")?.may_type || !words.value.trim()) return;
    this.do({ type: "Typed", text: words.value });
    words.value = "";
    this.said();
    this.show();
  }

  showActions(screen, labels, station) {
    const wanted = [
      [!station && screen.may_solve, labels.solved, () => this.asking(() => askSolution(labels, (solution) => this.do({ type: "Solved", solution })))],
      [!station && screen.may_solve, labels.give_up, () => this.asking(() => askGivingUp(labels, () => this.do({ type: "GivenUp" })))],
      [!station && screen.may_undo, labels.undo, () => this.do({ type: "Undone" })],
      [!station && Boolean(this.parts.get("instructions")?.text), labels.instructions, () => this.asking(() => showInstructions(labels, this.parts.get("instructions").text))],
      [true, labels.call, () => this.call(labels)],
      [screen.may_withdraw, labels.withdraw, () => askWithdrawal(labels, (erase) => this.withdraw(erase))],
    ].filter(([offered]) => offered);
    const names = wanted.map(([, label]) => label).join("|");
    if (by("actions").dataset.names === names) return;
    by("actions").dataset.names = names;
    by("actions").replaceChildren(...wanted.map(([, label, act]) => element("button", { type: "button", click: act }, label)));
  }

  /** What is being said ends where a question covers the button. */
  asking(question) {
    if (this.capture?.held) this.talk.end("covered");
    question();
  }

  call(labels) {
    this.do({ type: "Called" });
    this.mention(labels.called);
  }

  withdraw(erase) {
    if (this.capture?.held) this.talk.end("withdrawn");
    this.do({ type: "Withdrew", erase });
  }
}

/** Begin, where this browser can do what is needed and no other window of it has this visit open. */
function begin() {
  const visit = location.pathname.split("/")[2] ?? "";
  const token = location.hash.slice(1);
  const able = window.isSecureContext && window.AudioWorkletNode && window.indexedDB && navigator.locks && navigator.mediaDevices && crypto.subtle;
  if (!able) return window.tooOld();
  if (!token) {
    say(by("headline"), NO_ADDRESS);
    return window.report();
  }
  navigator.locks.request(`visit-${visit}`, { ifAvailable: true }, (lock) => {
    if (lock === null) {
      say(by("headline"), ELSEWHERE);
      return window.report(true);
    }
    window.page = new Page(visit, token);
    return new Promise(() => {});
  });
}

window.begun = true;
begin();
