// The talk button: held or pressed, by mouse, finger, pen, space bar or Enter. It says that somebody is recorded only when sound is in.

import { now, stamp } from "./clock.js";
import { by, say } from "./dom.js";

const HELD = ["key_held", "mouse_held"];

export class Talk {
  /** `told` is {press(at, moment), release(at, moment, why), refused()}. */
  constructor(told) {
    this.told = told;
    this.button = by("talk");
    this.grip = null;
    this.cutOff = false;
    this.screen = this.settings = null;
    this.capture = { held: "", lamp: "", listening: false };
    const { button } = this;
    button.addEventListener("pointerdown", (event) => this.pointerDown(event));
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"])
      button.addEventListener(name, (event) => this.pointerUp(event, name === "pointerup" ? "released" : "release_lost"));
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    button.addEventListener("click", (event) => event.detail === 0 && this.toggle("key_pressed"));
    document.addEventListener("keydown", (event) => this.keyDown(event));
    document.addEventListener("keyup", (event) => this.keyUp(event));
    window.addEventListener("blur", () => this.left());
    document.addEventListener("visibilitychange", () => document.hidden && this.left());
  }

  get here() {
    return this.settings !== null && !this.settings.typed && !by("talking").hidden && !by("session").hidden && !by("dialog").open;
  }

  /** Whether a press begins a take; after one that was recorded without a connection, as it was before. */
  get mayTalk() {
    return this.cutOff ? this.screen.may_talk_next : this.screen.may_talk;
  }

  // --- what the subject does

  pointerDown(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    this.button.focus();
    if (!this.settings.hold) return this.toggle("mouse_pressed");
    if (this.grip === "mouse_held") return; // a second finger, or a palm
    this.pointer = event.pointerId;
    try {
      this.button.setPointerCapture(event.pointerId);
    } catch {
      // a pointer that is gone already: its end is seen all the same
    }
    this.begin("mouse_held");
  }

  pointerUp(event, why) {
    if (event.pointerId === this.pointer) this.letGo("mouse_held", why);
  }

  keyDown(event) {
    if (!this.here || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    const talks = event.key === " " && !event.target.closest("button:not(#talk), input, textarea, select, summary, a");
    if (!talks && !(event.key === "Enter" && event.target === this.button)) return;
    event.preventDefault();
    if (this.settings.hold && talks) this.begin("key_held");
    else this.toggle("key_pressed");
  }

  keyUp(event) {
    if (event.key !== " " || !this.here) return;
    if (this.grip === "key_held" || event.target === this.button) event.preventDefault();
    this.letGo("key_held", "released");
  }

  left() {
    if (HELD.includes(this.grip)) this.end("window_left");
  }

  toggle(grip) {
    if (this.capture.held) this.end("pressed_again");
    else this.begin(grip);
  }

  begin(grip) {
    const moment = now();
    if (this.capture.held) return;
    if (!this.capture.listening || !(this.mayTalk || this.capture.lamp)) {
      this.told.refused();
      return;
    }
    this.grip = grip;
    this.told.press(stamp(moment), moment);
    this.show();
  }

  letGo(grip, why) {
    if (this.grip === grip) this.end(why);
  }

  end(why) {
    const moment = now();
    this.grip = null;
    this.told.release(stamp(moment), moment, why);
  }

  // --- what is seen

  /** A take began or ended. */
  captured(capture) {
    this.capture = capture;
    if (!capture.held) this.grip = null;
    this.show();
  }

  get look() {
    if (this.capture.lamp) return "recording";
    if (this.capture.held || this.grip) return "opening";
    if (!this.capture.listening) return "blocked";
    if (this.cutOff) return this.screen.may_talk_next ? "ready" : "blocked";
    return this.screen.button === "recording" ? "working" : this.screen.button;
  }

  show() {
    if (!this.screen || !this.settings) return;
    const { look } = this;
    const words = this.settings.button.looks[look];
    this.button.dataset.look = look;
    this.button.dataset.unheard = look === "ready" && this.screen.unheard ? "yes" : "";
    this.button.setAttribute("aria-pressed", String(Boolean(this.capture.held)));
    const ending = look === "recording" && this.grip ? this.settings.button.endings[this.grip] : words.hint;
    const hint = (look === "recording" && this.screen.warning) || ending;
    say(this.button.querySelector(".sign"), words.sign);
    say(this.button.querySelector(".word"), words.word);
    say(this.button.querySelector(".hint"), (look === "ready" || look === "blocked") && this.screen.note ? this.screen.note : hint);
  }
}
