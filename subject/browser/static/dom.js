// Elements without markup in strings: whatever text comes from elsewhere stays text.

/** An element with attributes (functions become listeners) and children, which are elements or text. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** A text with paragraphs at its empty lines; the lines of a paragraph stay where they are. */
export const paragraphs = (text) => text.split(/\n\s*\n/).map((each) => element("p", {}, each));

/** Change what is different, so that nothing is read aloud twice. */
export function say(target, text) {
  if (target.textContent !== text) target.textContent = text;
  target.hidden = !text && target.id !== "headline";
}

export const by = (id) => document.getElementById(id);
