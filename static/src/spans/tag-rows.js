// Where names above marks stand in their line so that none lies over another: pure.

const APART = 2; // pixels between two names
const LEAST = 18; // a name that is cut shorter says nothing: then the next makes way

/**
 * A name stands above the first word of its mark. Where the next begins before it ends, it is cut there; where that would leave nothing of
 * it, for both begin at one word, the next stands after it.
 * @template {{box: {start: number, top: number}, width: number}} Tag
 * @param {Tag[]} tags pixels; `start` from the edge where lines begin @param {number} end where lines end
 * @returns {[Tag, {start: number, width: number}][]}
 */
export function inRows(tags, end) {
  const sorted = [...tags].sort((a, b) => a.box.top - b.box.top || a.box.start - b.box.start);
  const placed = [];
  for (const tag of sorted) {
    const last = placed.at(-1);
    const place = { start: tag.box.start, width: tag.width };
    if (last && last[0].box.top === tag.box.top) {
      const room = place.start - APART - last[1].start;
      if (room < Math.min(LEAST, last[1].width)) place.start = last[1].start + last[1].width + APART;
      else last[1].width = Math.min(last[1].width, room);
    }
    place.width = Math.max(0, Math.min(place.width, end - place.start));
    placed.push([tag, place]);
  }
  return placed;
}
