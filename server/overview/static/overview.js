// The experimenter's page: shows the rows that come, and says which call was answered. Whatever text comes stays text.

const by = (id) => document.getElementById(id);
const { lost: LOST, notValid: NOT_VALID, answer: ANSWER, answerOf: ANSWER_OF, levelOf: LEVEL_OF, none: NONE } = document.body.dataset;
const BACKOFF_MS = [200, 500, 1000, 2000];
const REJECTED = 4001;
const REFUSAL_SHOWN_MS = 10000; // rows come twice a second, and would take its words away
const FLOOR_DB = 60;

function say(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

function made(name, attributes = {}, text = "") {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

class Overview {
  constructor(token) {
    this.token = token;
    this.failures = 0;
    this.refusal = "";
    this.trouble = "";
    this.connect();
  }

  connect() {
    const socket = new WebSocket(new URL("link", location.href.split("#")[0]).href.replace(/^http/, "ws"));
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ m: "hello", token: this.token }));
    socket.onmessage = (event) => this.told(JSON.parse(event.data));
    socket.onclose = ({ code, reason }) => {
      if (code === REJECTED) return say(by("state"), reason);
      say(by("state"), LOST);
      setTimeout(() => this.connect(), BACKOFF_MS[Math.min(this.failures++, BACKOFF_MS.length - 1)]);
    };
  }

  told(message) {
    this.failures = 0;
    if (message.m === "sessions") this.sessions(message.rows, message.trouble);
    else if (message.m === "study") this.study(message);
    else if (message.m === "refused") this.refused(message.reason);
  }

  refused(reason) {
    this.refusal = reason;
    this.troubles();
    clearTimeout(this.forgetting);
    this.forgetting = setTimeout(() => {
      this.refusal = "";
      this.troubles();
    }, REFUSAL_SHOWN_MS);
  }

  troubles() {
    say(by("trouble"), this.refusal || this.trouble);
  }

  sessions(rows, trouble) {
    say(by("state"), rows.length ? "" : NONE);
    this.trouble = trouble;
    this.troubles();
    const body = by("sessions");
    const there = new Map([...body.rows].map((row) => [row.dataset.session, row]));
    rows.forEach((row, place) => {
      const line = there.get(row.session) ?? this.line(row.session);
      there.delete(row.session);
      this.fill(line, row);
      if (body.rows[place] !== line) body.insertBefore(line, body.rows[place] ?? null);
    });
    for (const line of there.values()) line.remove();
  }

  line(session) {
    const line = made("tr");
    line.dataset.session = session;
    line.append(made("th", { scope: "row" }, session));
    for (const name of ["speaker", "stage", "waits", "link", "operator"]) line.append(made("td", { "data-part": name }));
    const level = made("td");
    level.append(made("meter", { min: 0, max: FLOOR_DB, value: 0, "aria-label": LEVEL_OF.replace("{session}", session) }));
    line.append(level, made("td", { "data-part": "left", class: "figure" }), made("td", { "data-part": "call" }));
    return line;
  }

  fill(line, row) {
    for (const name of ["speaker", "stage", "waits", "link", "operator", "left"]) say(line.querySelector(`[data-part=${name}]`), row[name]);
    line.querySelector("meter").value = Math.max(0, FLOOR_DB + row.level);
    line.toggleAttribute("data-called", row.called);
    const place = line.querySelector("[data-part=call]");
    if (!row.called) return place.replaceChildren();
    if (place.firstChild) return;
    const button = made("button", { type: "button", "aria-label": ANSWER_OF.replace("{session}", row.session) }, ANSWER);
    button.addEventListener("click", () => this.socket.send(JSON.stringify({ m: "answer", session: row.session })));
    place.append(button);
  }

  study({ figures, cells, people }) {
    by("figures").replaceChildren(...figures.flatMap(([name, value]) => [made("dt", {}, name), made("dd", {}, value)]));
    this.table("design", "cells", cells);
    this.table("roster", "people", people);
  }

  table(part, body, rows) {
    by(part).hidden = !rows.length;
    by(body).replaceChildren(
      ...rows.map(([name, ...values]) => {
        const line = made("tr");
        line.append(made("th", { scope: "row" }, name), ...values.map((value) => made("td", { class: "figure" }, value)));
        return line;
      }),
    );
  }
}

const token = location.hash.slice(1);
if (token) new Overview(token);
else say(by("state"), NOT_VALID);
