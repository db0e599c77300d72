// Growing and shrinking a mark at one of its edges, by a word or a letter of what is seen. Pure; UTF-16 throughout.
import { lastAtMost } from "./offsets.js";

/**
 * The range with one edge a unit further on in reading order (`step` 1) or back (-1), or null where there is no such unit:
 * at either end of the text, and where nothing of the mark would be left.
 * @param {import("./offsets.js").TextIndex} index @param {[number, number]} range @param {"start"|"end"} edge
 */
export function stretched(index, [start, end], edge, step, byLetters) {
  const atEnd = edge === "end";
  const now = atEnd ? end : start;
  const moved = byLetters ? nextLetter(index, now, atEnd, step) : nextWord(index, now, atEnd, step);
  if (moved === null) return null;
  const range = atEnd ? [start, moved] : [moved, end];
  return range[0] < range[1] ? range : null;
}

function nextWord({ words }, now, atEnd, step) {
  const edges = atEnd ? words.ends : words.starts;
  const at = step > 0 ? lastAtMost(edges, now) + 1 : lastAtMost(edges, now - 1);
  return at < 0 || at >= edges.length ? null : edges[at];
}

/** The edge of the next grapheme that is seen; an edge that gives way leaves the grapheme beside it first. */
function nextLetter(index, now, atEnd, step) {
  let at = step > 0 ? now : now - 1;
  if (atEnd && step < 0) at = index.graphemeAt(at)[0] - 1;
  if (!atEnd && step > 0) at = index.graphemeAt(at)[1];
  while (at >= 0 && at < index.length) {
    const [start, end] = index.graphemeAt(at);
    if (index.isShown(start, end)) return atEnd ? end : start;
    at = step > 0 ? end : start - 1;
  }
  return null;
}
