// The questions that the page asks, and the instructions on wish; each in a window of its own that Escape closes.

import { by, element, paragraphs, say } from "./dom.js";

function open(title, ...content) {
  const dialog = by("dialog");
  const heading = element("h2", { id: "dialog-title" }, title);
  dialog.setAttribute("aria-labelledby", "dialog-title");
  dialog.replaceChildren(heading, ...content);
  if (!dialog.open) dialog.showModal();
}

const close = () => by("dialog").close();

function choices(...buttons) {
  const made = buttons.map(([label, act]) => element("button", { type: "button", click: () => { close(); act?.(); } }, label));
  return element("div", { class: "column" }, made);
}

/** Whether to stop taking part, and what becomes of what was said. */
export const askWithdrawal = (labels, withdraw) =>
  open(labels.withdraw_question, choices([labels.go_on], [labels.stop_keep, () => withdraw(false)], [labels.stop_erase, () => withdraw(true)]));

export const askGivingUp = (labels, giveUp) =>
  open(labels.give_up_question, choices([labels.give_up_no], [labels.give_up_yes, giveUp]));

export const showInstructions = (labels, text) =>
  open(labels.instructions, element("div", { class: "reading", tabindex: "0" }, paragraphs(text)), choices([labels.close]));

/** The solution in the subject's own words. */
export function askSolution(labels, declare) {
  const words = element("textarea", { rows: "3", maxlength: "2000", "aria-labelledby": "dialog-title" });
  const refusal = element("p", { role: "alert", hidden: true });
  const submit = (event) => {
    event.preventDefault();
    if (!words.value.trim()) return say(refusal, labels.solution_empty);
    close();
    declare(words.value);
  };
  const buttons = element(
    "div",
    { class: "row" },
    element("button", { type: "submit" }, labels.submit),
    element("button", { type: "button", click: close }, labels.back),
  );
  open(labels.solution_question, element("form", { submit }, words, refusal, buttons));
  words.focus();
}
