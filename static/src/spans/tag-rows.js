// Where names above marks stand in their line so that none lies over another: pure.

const APART = 2; // pixels between two names
const LEAST = 18; // a name that is cut shorter says nothing: then the next makes way

/**
 * A name stands above the first word of its mark. Where the next begins before it ends, it is cut there; where that would leave nothing of
 * it, for both begin at one word, the next stands after it. What would reach beyond the end of the line begins earlier.
 * @template {{box: {start: number, top: number, height: number}, width: number}} Tag
 * @param {Tag[]} tags pixels; `start` from the edge where lines begin @param {number} end where lines end
 * @returns {[Tag, {start: number, width: number}][]}
 */
export function inRows(tags, end) {
  return lines(tags).flatMap((line) => inRow(line, end));
}

/** Words of one line begin at several heights: code is smaller than what it stands in. */
function lines(tags) {
  const found = [];
  for (const tag of [...tags].sort((a, b) => a.box.top - b.box.top)) {
    const line = found.at(-1);
    if (line && tag.box.top < line[0].box.top + line[0].box.height / 2) line.push(tag);
    else found.push([tag]);
  }
  return found;
}

function inRow(tags, end) {
  const placed = [];
  for (const tag of tags.sort((a, b) => a.box.start - b.box.start)) {
    const last = placed.at(-1)?.[1];
    const place = { start: tag.box.start, width: tag.width };
    if (last) {
      const room = place.start - APART - last.start;
      if (room < Math.min(LEAST, last.width)) place.start = last.start + last.width + APART;
      else last.width = Math.min(last.width, room);
    }
    placed.push([tag, place]);
  }
  let limit = end;
  for (const [, place] of [...placed].reverse()) {
    if (place.start + place.width > limit) place.start = Math.max(0, limit - place.width);
    place.width = Math.max(0, Math.min(place.width, limit - place.start));
    limit = place.start - APART;
  }
  return placed;
}
