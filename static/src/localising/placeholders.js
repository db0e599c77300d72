// Placeholders such as [locale_country] in a text; the same rule as projects/placeholders.py. Pure.

const PLACEHOLDER = /\[([a-z][a-z0-9_]{0,59})\]/g;

/** Each placeholder's name once, in the order in which they come up first. */
export function namesIn(text) {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name]) => name))];
}

/** @returns {{text: string, name: string}[]} the text cut at its placeholders; `name` is empty where it is none */
export function partsOf(text) {
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(PLACEHOLDER)) {
    if (found.index > at) parts.push({ text: text.slice(at, found.index), name: "" });
    parts.push({ text: found[0], name: found[1] });
    at = found.index + found[0].length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), name: "" });
  return parts;
}

/** The parts of the finished text: each placeholder its value, or still itself where it has none. */
export function filledParts(text, values) {
  return partsOf(text).map(({ text: words, name }) => {
    const value = name && values[name]?.trim() ? values[name] : "";
    return { text: value || words, name, filled: Boolean(value) };
  });
}
