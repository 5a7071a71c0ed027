// Answers to a form that is not handed in yet, kept in this browser: after a reload nobody is asked everything again.

export class Draft {
  constructor(visit) {
    this.name = `form-${visit}`;
  }

  /** The place in `form`, and the answers to those of its items that are still there with that choice. */
  read({ step, items }) {
    try {
      const kept = JSON.parse(localStorage.getItem(this.name) ?? "{}");
      if (kept.step !== step) return { at: 0, answers: {} };
      const fits = ({ id, choices }) => id in kept.answers && (!choices.length || choices.some(({ value }) => value === kept.answers[id]));
      const answers = Object.fromEntries(items.filter(fits).map(({ id }) => [id, kept.answers[id]]));
      return { at: Math.min(kept.at, items.length - 1), answers };
    } catch {
      return { at: 0, answers: {} };
    }
  }

  keep(step, at, answers) {
    try {
      localStorage.setItem(this.name, JSON.stringify({ step, at, answers }));
    } catch {
      // a browser that keeps nothing asks again after a reload
    }
  }

  forget() {
    try {
      localStorage.removeItem(this.name);
    } catch {
      // nothing was kept
    }
  }
}
