// A mark in several places: its own words are the first part in reading order, `more` holds the others. Pure; code points.
// Parts of one mark neither overlap nor touch: what does becomes one part, as the server has it (annotation/spans/parts.py).

/** @typedef {{start: number, end: number, quote: string}} Part */

export const MOST_PARTS = 20; // the server's own limit

/** @returns {Part[]} in reading order; none where a mark is on no words */
export function partsOf(span) {
  if (!span || span.anchor !== "words") return [];
  return [{ start: span.start, end: span.end, quote: span.quote }, ...(span.more ?? [])];
}

/** What a mark on these ranges stores of its words. @param {{start: number, end: number}[]} ranges @param {(start: number, end: number) => string} slice */
export function joined(ranges, slice) {
  const parts = [];
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = parts.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else parts.push({ start, end });
  }
  const [first, ...more] = parts.map(({ start, end }) => ({ start, end, quote: slice(start, end) }));
  return { ...first, more };
}

/**
 * What a mark stores of its words that has all parts of two of its versions; null where that is not what they say: where
 * neither has further parts, or they share no words, or there are more parts than a mark may have.
 */
export function withAllParts(one, other) {
  const [mine, theirs] = [partsOf(one), partsOf(other)];
  const share = mine.some(({ start, end }) => theirs.some((part) => part.start < end && part.end > start));
  if (mine.length + theirs.length < 3 || !share) return null;
  const known = new Map([...mine, ...theirs].flatMap(({ start, quote }) => [...quote].map((point, at) => [start + at, point])));
  const words = joined([...mine, ...theirs], (start, end) => Array.from({ length: end - start }, (_, at) => known.get(start + at)).join(""));
  return words.more.length < MOST_PARTS ? words : null;
}

/** Number of the part that [start, end) lies in or reaches into, else of the first. */
export function partAt(parts, start, end) {
  return Math.max(0, parts.findIndex((part) => part.start < end && part.end > start));
}

/** Further parts as they are compared and sent; none where there are none. */
export const plainMore = (more) => (more?.length ? more.map(({ start, end, quote }) => ({ start, end, quote })) : null);

/** Whether two marks are on the very same words. */
export function sameWords(a, b) {
  const [mine, theirs] = [a.more ?? [], b.more ?? []];
  return a.start === b.start && a.end === b.end && mine.length === theirs.length
    && mine.every(({ start, end }, at) => start === theirs[at].start && end === theirs[at].end);
}

/** The words of all parts, in reading order. */
export const wordsOf = (span) => partsOf(span).map(({ quote }) => quote).join(" … ");
