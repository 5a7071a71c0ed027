// What was asked and answered, newest last; tables as tables. What can be seen of it is told once it has been painted.

import { by, element, say } from "./dom.js";

export class Turns {
  /** `told` is {viewed(spans, reopened), sized(columns, lines), back(take)}; `labels` the words of the page. */
  constructor(told) {
    this.told = told;
    this.parts = new Map();
    this.places = new Map();
    this.begun = element("li", { class: "heading" });
    this.reopened = [];
    this.last = "";
    this.room = by("turns");
    for (const place of [this.room, by("main"), document]) place.addEventListener("scroll", () => this.look());
    new ResizeObserver(() => {
      this.measure();
      this.look();
    }).observe(this.room);
    document.addEventListener("visibilitychange", () => this.look());
  }

  part(key, part) {
    const more = part.blocks.length > (this.parts.get(key)?.blocks.length ?? 0);
    this.parts.set(key, part);
    this.last = "";
    const fresh = this.made(key, part);
    const place = this.places.get(key);
    if (place) {
      fresh.querySelector("details").open = more || place.querySelector("details").open;
      place.replaceWith(fresh);
      this.bring = key;
    }
    this.places.set(key, fresh);
  }

  show(order, begun, labels) {
    this.labels = labels;
    const list = by("turn-list");
    for (const key of order) {
      const place = this.places.get(key);
      if (place && !place.isConnected) {
        list.append(place);
        this.bring = key;
      }
    }
    const fresh = begun && begun !== this.begun.textContent;
    this.begun.textContent = begun;
    if (begun) list.append(this.begun);
    else this.begun.remove();
    if (this.bring) {
      this.reachTurn(this.places.get(this.bring));
      this.bring = "";
    }
    if (fresh) this.reach(this.begun);
    this.measure();
    this.look();
  }

  /** Have a turn in sight, from its question on; where the newest of several replies would not be, from that one on. */
  reachTurn(place) {
    const blocks = place.querySelectorAll(".answer");
    const fits = place.getBoundingClientRect().height <= this.room.getBoundingClientRect().height;
    this.reach(fits || blocks.length < 2 ? place : blocks[blocks.length - 1]);
  }

  reach(place) {
    const [turn, room] = [place.getBoundingClientRect(), this.room.getBoundingClientRect()];
    if (turn.height > room.height || turn.top < room.top) this.room.scrollTop += turn.top - room.top;
    else if (turn.bottom > room.bottom) this.room.scrollTop += turn.bottom - room.bottom;
    this.room.scrollIntoView({ block: "nearest" });
  }

  /** The part of the room that nothing covers: from the headline to the button, or to where the window ends. */
  seen() {
    const room = this.room.getBoundingClientRect();
    const below = ["talking", "typing", "actions"].map((id) => by(id).getBoundingClientRect()).filter(({ height }) => height);
    const top = Math.max(room.top, document.querySelector("header").getBoundingClientRect().bottom);
    return { top, bottom: Math.min(room.bottom, window.innerHeight, ...below.map((each) => each.top)), height: room.height };
  }

  made(key, { heading, label, question, lines, blocks, waiting, may_return: mayReturn }) {
    const answer = blocks.map(({ first, parts }) => this.block(first, parts));
    const back = mayReturn && this.labels ? [element("button", { type: "button", click: () => this.told.back(key) }, this.labels.return_to)] : [];
    const details = element(
      "details",
      { open: true },
      element("summary", {}, element("span", { class: "label" }, label), " ", element("bdi", {}, question)),
      ...answer,
      waiting ? element("p", { class: "waiting" }, waiting) : null,
      ...back,
    );
    details.addEventListener("toggle", () => {
      if (details.open && details.dataset.folded) this.reopened.push(key);
      details.dataset.folded = details.open ? "" : "yes";
      this.look();
    });
    const above = heading ? element("h3", { class: "heading" }, heading) : null;
    return element("li", { "data-turn": key, "data-lines": String(lines.length) }, above, details);
  }

  block(first, parts) {
    const made = element("div", { class: "answer" });
    let line = first;
    for (const part of parts) {
      if (part.text) {
        const text = element("div", { class: "text" });
        for (const each of part.text) text.append(element("div", { "data-line": String(line++) }, each || "\u00a0"));
        made.append(text);
      } else {
        const row = (cells, tag) =>
          element(
            "tr",
            { "data-line": String(line++) },
            cells.map((cell, column) => element(tag, { class: part.numeric[column] ? "number" : null, scope: tag === "th" ? "col" : null }, cell)),
          );
        const head = part.head.map((cells) => row(cells, "th"));
        line++;
        const body = part.rows.map((cells) => row(cells, "td"));
        made.append(element("div", { class: "table", tabindex: "0", role: "group" }, element("table", {}, element("thead", {}, head), element("tbody", {}, body))));
      }
    }
    return made;
  }

  // --- what can be seen

  measure() {
    const box = this.room.getBoundingClientRect();
    if (!box.width || !box.height) return;
    const probe = element("span", { class: "probe", "aria-hidden": "true" }, "0".repeat(100));
    this.room.append(probe);
    const { width, height } = probe.getBoundingClientRect();
    probe.remove();
    const columns = Math.max(20, Math.floor((100 * (box.width - 32)) / width));
    const lines = Math.max(1, Math.floor(box.height / height));
    const size = `${columns} ${lines}`;
    if (size !== this.size) {
      this.size = size;
      this.told.sized(Math.min(columns, 10000), Math.min(lines, 10000));
    }
  }

  look() {
    if (this.due) return;
    this.due = true;
    // Only what has been painted counts as seen: the task after the next frame comes after its painting.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        this.due = false;
        this.report();
      };
      port2.postMessage(null);
    });
  }

  report() {
    const room = this.seen();
    if (document.hidden || !room.height) return;
    const spans = [];
    for (const [key, place] of this.places) {
      const box = place.getBoundingClientRect();
      if (!place.isConnected || box.bottom <= room.top || box.top >= room.bottom) continue;
      const seen = [...place.querySelectorAll("[data-line]")].filter((each) => {
        const { top, bottom, height } = each.getBoundingClientRect();
        return height > 0 && bottom <= room.bottom + 1 && top >= room.top - 1;
      });
      if (seen.length) spans.push({ key, first: Number(seen[0].dataset.line), last: Number(seen.at(-1).dataset.line) });
    }
    const told = JSON.stringify(spans);
    if (told === this.last && !this.reopened.length) return;
    this.last = told;
    if (spans.length) this.told.viewed(spans, this.reopened.splice(0));
  }
}

/** The line that says what was understood last; `painted` is called when it has been. */
export function hear(text, take, painted) {
  const place = by("heard");
  const name = `${take} ${text}`;
  if (place.dataset.of === name) return;
  place.dataset.of = name;
  say(place, text);
  if (text) requestAnimationFrame(() => setTimeout(() => painted(take), 0));
}
