// Names above marks: whatever is marked, no two lie over each other, and none begins before its mark but at the end of a line.
import assert from "node:assert/strict";
import { test } from "node:test";

import { forSeeds } from "./chance.mjs";
import { inRows } from "../../static/src/spans/tag-rows.js";

const tag = (start, width, top = 0) => ({ box: { start, top, height: 24 }, width });
const places = (tags, end = 500) => inRows(tags, end).map(([, { start, width }]) => [start, width]);

test("a name stands above the first word of its mark, and is cut where the next begins", () => {
  assert.deepEqual(places([tag(10, 60), tag(100, 60)]), [[10, 60], [100, 60]]);
  assert.deepEqual(places([tag(10, 60), tag(50, 60)]), [[10, 38], [50, 60]]);
});

test("of two marks on the same word the names stand one after the other", () => {
  assert.deepEqual(places([tag(10, 60), tag(10, 30)]), [[10, 60], [72, 30]]);
});

test("names of different lines do not know each other, and none goes beyond the end", () => {
  assert.deepEqual(places([tag(10, 60), tag(10, 60, 40)]), [[10, 60], [10, 60]]);
  assert.deepEqual(places([tag(480, 60)]), [[440, 60]]);
});

test("names of marks that begin in the last word of a line are all read", () => {
  assert.deepEqual(places([tag(470, 60), tag(480, 50), tag(480, 40)]), [[346, 60], [408, 50], [460, 40]]);
  assert.deepEqual(places([tag(10, 300), tag(20, 200), tag(30, 300)]), [[0, 0], [0, 198], [200, 300]], "a line holds what it holds");
});

test("code begins lower than the words beside it, and stands in their line", () => {
  assert.deepEqual(places([tag(80, 60), tag(10, 90, 3)]), [[10, 68], [80, 60]]);
});

test("no two names of a line lie over each other", () => forSeeds(500, (chance) => {
  const tags = Array.from({ length: 1 + chance.below(12) }, () => tag(chance.below(300), 1 + chance.below(90), 40 * chance.below(2)));
  const placed = inRows(tags, 300);
  assert.equal(placed.length, tags.length);
  for (const [number, [one, { start, width }]] of placed.entries()) {
    assert.ok(start >= 0 && width >= 0 && start + width <= 300 && width <= one.width);
    const next = placed[number + 1];
    if (next && next[0].box.top === one.box.top) assert.ok(next[1].start >= start + width, JSON.stringify(placed));
  }
}));
