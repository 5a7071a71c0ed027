// The stations of a visit before and after its tasks: a text to read, boxes to tick, a microphone to try, a form to fill in.

import { by, element, paragraphs, say } from "./dom.js";
import { Draft } from "./draft.js";
import { Microphone } from "./microphone.js";

export class Stations {
  /** `told` is {do(deed), choose(device), playBack()}; one station at a time is on the page, of this `visit`. */
  constructor(visit, told) {
    this.told = told;
    this.draft = new Draft(visit);
    this.place = by("station");
    this.kind = null;
    this.answers = {};
  }

  show(part, labels) {
    this.labels = labels;
    const name = part ? `${part.kind} ${part.step}` : "";
    this.place.hidden = !part;
    if (name === this.kind) {
      if (part?.kind === "microphone") say(by("verdict"), part.verdict);
      return;
    }
    this.kind = name;
    if (part?.kind !== "form") this.draft.forget();
    this.place.replaceChildren(...(part ? this[part.kind](part) : []));
    this.place.querySelector("h2, p")?.setAttribute("tabindex", "-1");
    if (part) this.place.querySelector("h2, p")?.focus({ preventScroll: true });
    for (const place of [by("main"), document.scrollingElement]) place.scrollTop = 0; // to the element would be to beneath the header
  }

  /** Once: what a button does must not be done twice by an impatient finger. */
  button(label, act, { again = false, id = null } = {}) {
    let done = false;
    return element("button", { type: "button", id, click: () => { if (!done) { done = !again; act(() => { done = false; }); } } }, label);
  }

  text(part) {
    return [...paragraphs(part.text), this.button(this.labels.continue, () => this.told.do({ type: "TextRead", step: part.step }), { id: "continue" })];
  }

  consent(part) {
    const warning = element("p", { role: "alert", id: "warning", hidden: true });
    const boxes = part.scopes.map(({ id, text, ticked }) => {
      const box = element("input", { type: "checkbox", id: `scope-${id}`, "data-scope": id, change: () => say(warning, "") });
      box.checked = ticked;
      return [box, element("li", {}, element("label", {}, box, " ", text))];
    });
    const agree = (again) => {
      const scopes = Object.fromEntries(boxes.map(([box]) => [box.dataset.scope, box.checked]));
      if (!scopes.record && !warning.textContent) {
        say(warning, part.warning);
        again();
      } else if (part.sha256) this.told.do({ type: "Agreed", scopes, sha256: part.sha256 });
      else this.told.do({ type: "Confirmed", scopes });
    };
    const all = () => {
      for (const [box] of boxes) box.checked = true;
      say(warning, "");
    };
    return [
      ...paragraphs(part.text),
      element("ul", { class: "scopes" }, boxes.map(([, item]) => item)),
      warning,
      element("div", { class: "row" }, this.button(this.labels.continue, agree, { id: "continue" }), this.button(this.labels.tick_all, all, { again: true })),
    ];
  }

  microphone(part) {
    const choice = element("select", { id: "choice", "aria-label": part.choose, hidden: true, change: () => this.told.choose(choice.value) });
    this.offer(this.device);
    return [
      ...paragraphs(part.text),
      choice,
      element("meter", { id: "trial-level", min: "0", max: "60", low: "30", high: "58", optimum: "45", value: "0", "aria-label": this.labels.level }),
      element("p", { id: "verdict", role: "status" }, part.verdict),
      element(
        "div",
        { class: "row" },
        this.button(this.labels.continue, () => this.told.do({ type: "TrialLeft" }), { again: true, id: "continue" }),
        this.button(this.labels.play_back, () => this.told.playBack(), { again: true }),
        this.button(this.labels.try_again, () => this.told.do({ type: "TrialAgain" }), { again: true }),
      ),
    ];
  }

  /** Offer the microphones that there are, that one chosen: names are known only once one is open, and one may be plugged in. */
  async offer(device) {
    this.device = device;
    navigator.mediaDevices.ondevicechange = () => this.offer(this.device);
    const found = await Microphone.choices();
    const choice = by("choice");
    if (!choice) return;
    choice.hidden = found.length < 2;
    choice.replaceChildren(...found.map(([id, name]) => element("option", { value: id }, name)));
    choice.value = device;
  }

  form(part) {
    const begun = this.draft.read(part);
    let { at } = begun;
    this.answers = begun.answers;
    const keep = () => this.draft.keep(part.step, at, this.answers);
    const item = element("fieldset", {});
    const refusal = element("p", { role: "alert", hidden: true });
    const show = () => {
      say(refusal, "");
      keep();
      item.replaceChildren(...this.item(part, at, keep));
      const first = item.querySelector("input:checked") ?? item.querySelector("input, textarea");
      first?.focus({ preventScroll: true });
      item.scrollIntoView({ block: "start" }); // where the page scrolls, it had been scrolled to the buttons
    };
    const next = (again = () => {}) => {
      again();
      const { id, optional } = part.items[at];
      if (!(id in this.answers) && !optional) return say(refusal, this.labels.form_empty);
      at++;
      if (at < part.items.length) return show();
      at--;
      this.draft.forget();
      this.told.do({ type: "FormFilled", form: part.step, answers: this.answers });
    };
    const back = (again) => {
      again();
      at = Math.max(0, at - 1);
      show();
    };
    show();
    return [
      element("h2", {}, part.title),
      ...paragraphs(part.introduction).filter((each) => each.textContent),
      item,
      refusal,
      element("div", { class: "row" }, this.button(this.labels.continue, next, { id: "continue" }), this.button(this.labels.previous, back)),
    ];
  }

  item(part, at, keep) {
    const { id, text, choices } = part.items[at];
    const legend = element("legend", {}, `${at + 1} ${this.labels.of} ${part.items.length}   `, element("bdi", {}, text));
    const given = this.answers[id];
    if (!choices.length) {
      const words = element("textarea", { rows: "4", maxlength: "2000", "aria-label": text, input: () => {
        delete this.answers[id];
        if (words.value.trim()) this.answers[id] = words.value.trim();
        keep();
      } });
      words.value = given ?? "";
      return [legend, words];
    }
    return [
      legend,
      ...choices.map(({ value, text: shown }) => {
        const radio = element("input", { type: "radio", name: "answer", change: () => { this.answers[id] = value; keep(); } });
        radio.checked = given === value;
        return element("label", { class: "choice" }, radio, " ", shown);
      }),
    ];
  }
}
