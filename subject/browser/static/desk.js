// The part of the page that must never wait for the screen: takes, journal, recorder and link, in a worker of their own.

import { clock, now, stamp, ulid } from "./clock.js";
import { Database } from "./database.js";
import { Journal } from "./journal.js";
import { Link } from "./link.js";
import { Recorder, started, stopped } from "./recorder.js";
import { Replies } from "./replies.js";
import { Takes } from "./takes.js";

const TICK_MS = 250;
const TRIAL_S = 4;
const SETTINGS = { pre_roll_ms: 0, pause_ms: 0, tail_ms: 300, longest_s: 120 };
let desk = null;

class Desk {
  static async open({ visit, token, files, version, finger }) {
    const database = await Database.open(visit);
    let name = await database.get("about", "desk");
    if (!name) {
      name = ulid();
      await database.change("about", (store) => store.put(name, "desk"));
    }
    const takes = await Takes.open(database, visit, files);
    const made = new Desk(await Journal.open(database), takes);
    await made.recover();
    const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/visit/${visit}/link`;
    const hello = () => ({ token, desk: name, version, finger, ...made.here() });
    made.link = new Link(url, made.journal, takes, hello, {
      message: (message) => made.receive(message),
      sound: (frame) => made.replies.piece(frame),
      state: (up, why) => made.linked(up, why),
    });
    made.link.connect();
    setInterval(() => made.recorder.tick(), TICK_MS);
    return made;
  }

  constructor(journal, takes) {
    Object.assign(this, { journal, takes, listening: false, why: "", levels: false, trial: null, sealing: Promise.resolve() });
    takes.told = (take, why, place) => this.refused(take, why, place);
    this.replies = new Replies({
      fact: (fact, id) => this.fact(fact, id),
      play: (reply, pcm, rate) => postMessage({ type: "play", reply, pcm, rate }, [pcm]),
      spoke: (moment) => this.recorder.spoke(moment),
      quiet: () => this.link.say({ m: "quiet" }),
    });
    this.recorder = new Recorder(takes, SETTINGS, {
      fact: (fact, id) => this.fact(fact, id),
      frame: (take, first, samples) => this.link.sound(take, first, samples),
      level: (level) => this.level(level),
      changed: () => this.changed(),
      ready: () => this.listen(true, ""),
      deaf: () => postMessage({ type: "deaf" }),
      sealing: (work) => {
        this.sealing = Promise.all([this.sealing, work]);
      },
    });
  }

  /** What is here: takes and replies of which there is sound, or the report of their end. */
  here() {
    const reported = (end) => [...this.journal.pending.keys()].filter((id) => id.endsWith(end)).map((id) => id.slice(0, -end.length));
    return {
      takes: [...new Set([...this.takes.known.keys(), ...reported("-stopped")])],
      held: this.recorder.held,
      lamp: this.recorder.lamp,
      replies: [...new Set([...this.replies.held, ...reported("-ended")])],
      loud: this.replies.loud,
    };
  }

  /** The browser's disk takes no more of a take: it waits in memory, and is sent all the same. */
  refused(take, why, place) {
    this.recorder.report("disk", take, place, 0, `the browser keeps no more (${why}); the sound waits in memory`);
    this.room();
  }

  /** Whether everything that is here would survive the page. */
  room() {
    postMessage({ type: "room", full: this.takes.full || Boolean(this.journal.refused) });
  }

  /** Report what an earlier run of this page left, under the names that it would have used itself. */
  async recover() {
    for await (const [take, { header, samples, sha256 }, torn] of this.takes.recover()) {
      if (!samples) continue;
      const detail = "the page was closed in the middle of the take";
      const trouble = { type: "AudioTroubled", at: stamp(), take, trouble: "recovered", letter: "s", at_sample: samples, detail };
      await this.fact(started(take, header), `${take}-started`);
      if (torn) await this.fact(trouble, `${take}-recovered-s`);
      await this.fact(stopped(take, { samples, sha256 }, 0, torn), `${take}-stopped`);
    }
  }

  // --- what happened here

  fact(event, id = ulid()) {
    return this.report(id, { m: "report", id, event });
  }

  do(deed, at) {
    const id = ulid();
    return this.report(id, { m: "deed", id, at, deed });
  }

  report(id, message) {
    if (this.journal.pending.has(id)) return Promise.resolve();
    const { refused } = this.journal;
    return this.journal.add(id, JSON.stringify(message), (frame) => {
      if (this.journal.refused !== refused) this.room();
      this.link?.sayFrame(frame);
    });
  }

  level(level) {
    postMessage({ type: "level", ...level });
    if (this.levels) this.link.say({ m: "level", ...level });
  }

  changed() {
    postMessage({ type: "capture", held: this.recorder.held, lamp: this.recorder.lamp, listening: this.listening });
  }

  press(at, moment) {
    const take = this.recorder.press(ulid(), at, moment);
    if (take) this.fact({ type: "TalkPressed", at, take });
  }

  release(at, moment, why) {
    const take = this.recorder.held;
    if (!take) return;
    this.fact({ type: "TalkReleased", at, take, why });
    this.recorder.release(take, moment);
  }

  // --- the microphone

  open({ port, ...microphone }) {
    this.port?.close();
    this.port = port;
    if (this.listening) this.listen(false, "");
    this.recorder.open(microphone);
    port.onmessage = (event) => {
      this.try(event.data.pcm);
      this.recorder.block(event.data);
    };
    const { label, rate, applied, program } = microphone;
    this.fact({ type: "MicrophoneOpened", at: stamp(), microphone: label, rate, applied, program });
  }

  /** Keep the last moments of a microphone that is being tried, for its owner to hear; nothing of them goes anywhere else. */
  try(pcm) {
    this.trial?.push(pcm.slice());
    while (this.trial?.length > TRIAL_S * 50) this.trial.shift();
  }

  playBack() {
    const pcm = new Int16Array((this.trial ?? []).flatMap((piece) => [...piece]));
    if (pcm.length) postMessage({ type: "play-back", pcm: pcm.buffer, rate: this.recorder.rate }, [pcm.buffer]);
  }

  lose(why) {
    if (this.listening && why)
      this.recorder.report("device_lost", this.recorder.held, 0, 0, why);
    this.recorder.end("microphone lost");
    this.port?.close();
    this.port = null;
    this.recorder.stream = null;
    this.listen(false, why);
  }

  listen(open, why) {
    Object.assign(this, { listening: open, why });
    this.tell();
    this.changed();
  }

  tell() {
    this.link.say({ m: "microphone", open: this.listening, why: this.why, rate: this.recorder.rate ?? 0 });
  }

  // --- what the other side says

  linked(up, why) {
    if (up && (this.listening || this.why)) this.tell();
    if (up && !this.replies.loud) this.link.say({ m: "quiet" });
    if (!up) this.replies.lost();
    postMessage({ type: "link", up, why });
  }

  receive(message) {
    if (message.m === "part") {
      if (message.name === "settings") Object.assign(SETTINGS, message.part);
      if (message.name === "screen") this.levels = message.part.levels;
      if (message.name === "station") this.trial = message.part?.kind === "microphone" ? (this.trial ?? []) : null;
      postMessage({ type: "part", name: message.name, part: message.part });
    } else if (message.m === "record") this.recorder.press(message.take, stamp(), now());
    else if (message.m === "stop") this.recorder.release(message.take, now(), message.tail);
    else if (message.m === "play") this.replies.expect(message);
    else if (message.m === "silence") postMessage({ type: "silence" });
    else if (message.m === "confirmed") this.takes.confirm(message.take, message.samples, message.sha256).then(() => this.room());
  }
}

async function handle({ type, ...rest }) {
  if (type === "start") {
    Object.assign(clock, rest.clock);
    desk = await Desk.open(rest);
  } else if (type === "deed") await desk.do(rest.deed, rest.at);
  else if (type === "press") desk.press(rest.at, rest.moment);
  else if (type === "release") desk.release(rest.at, rest.moment, rest.why);
  else if (type === "open") desk.open(rest);
  else if (type === "lose") desk.lose(rest.why);
  else if (type === "began") desk.replies.began(rest.reply, rest.at);
  else if (type === "over") desk.replies.over(rest.reply, rest.samples, rest.why, rest.detail, rest.at);
  else if (type === "quiet") desk.replies.quiet();
  else if (type === "play-back") desk.playBack();
}

// One after the other: what comes while the desk is being made waits for it.
let before = Promise.resolve();
onmessage = (event) => {
  if (desk) handle(event.data);
  else
    before = before
      .then(() => handle(event.data))
      .catch((error) => postMessage({ type: "failed", why: String(error?.message ?? error) }));
};
