// A mark grows and shrinks at either edge by words and by letters, in reading order, over whatever is written.
import assert from "node:assert/strict";
import { test } from "node:test";

import { forSeeds } from "./chance.mjs";
import { TextIndex } from "../../static/src/spans/offsets.js";
import { stretched } from "../../static/src/spans/stretching.js";

const words = (index, range) => range && index.text.slice(...range);
const walk = (text, quote, edge, step, { letters = false, language = "en", hidden = [] } = {}) => {
  const index = new TextIndex(text, language);
  index.hide(hidden);
  const start = text.indexOf(quote);
  return words(index, stretched(index, [start, start + quote.length], edge, step, letters));
};

test("by words", () => {
  const text = "The tea, they say, is hot.";
  assert.equal(walk(text, "tea", "end", 1), "tea, they");
  assert.equal(walk(text, "tea, they", "end", -1), "tea");
  assert.equal(walk(text, "tea", "start", -1), "The tea");
  assert.equal(walk(text, "The tea", "start", 1), "tea");
});

test("neither past the text nor to nothing", () => {
  assert.equal(walk("The tea", "tea", "end", 1), null);
  assert.equal(walk("The tea", "The", "start", -1), null);
  assert.equal(walk("The tea", "tea", "end", -1), null);
  assert.equal(walk("The tea", "tea", "start", 1), null);
  assert.equal(walk("a", "a", "end", -1, { letters: true }), null);
  assert.equal(walk("a", "a", "start", 1, { letters: true }), null);
});

test("in a text from right to left the end is still what is read last", () => {
  assert.equal(walk("شربنا الشاي على السحور.", "الشاي", "end", 1, { language: "ar" }), "الشاي على");
  assert.equal(walk("شربنا الشاي على السحور.", "الشاي", "start", -1, { language: "ar" }), "شربنا الشاي");
});

test("by letters as people count them", () => {
  assert.equal(walk("ক্ষমা করো", "ক্ষ", "end", 1, { letters: true, language: "bn" }), "ক্ষমা");
  assert.equal(walk("a👨‍👩‍👧b", "a", "end", 1, { letters: true }), "a👨‍👩‍👧");
  assert.equal(walk("a👨‍👩‍👧b", "a👨‍👩‍👧", "end", -1, { letters: true }), "a");
  assert.equal(walk("سَلام", "لام", "start", -1, { letters: true, language: "ar" }), "سَلام");
});

test("signs of markdown that are not seen are passed over", () => {
  const text = "a **b** c";
  const hidden = [[2, 4], [5, 7]];
  assert.equal(walk(text, "a ", "end", 1, { letters: true, hidden }), "a **b");
  assert.equal(walk(text, "a **b", "end", -1, { letters: true, hidden }), "a ");
  assert.equal(walk(text, "a", "end", 1, { hidden }), "a **b");
  assert.equal(walk(text, "b** c", "start", -1, { letters: true, hidden }), " **b** c");
});

test("what was grown is shrunk back, and edges stay edges of graphemes", () => forSeeds(300, (chance) => {
  const pieces = [..."ab é\u0301.\n👨🏽🇪🇬ক্ষিسَّـ가𠮷。 "];
  const text = Array.from({ length: 1 + chance.below(30) }, () => chance.of(pieces)).join("");
  const index = new TextIndex(text, chance.of(["en", "ar", "bn", "ko"]));
  const letters = chance.below(2) === 0;
  const from = letters ? index.graphemeAt(chance.below(index.length)) : index.wordCount ? index.word(chance.below(index.wordCount)) : null;
  if (!from) return;
  for (const [edge, step] of [["end", 1], ["start", -1]]) {
    const grown = stretched(index, from, edge, step, letters);
    if (!grown) continue;
    assert.ok(grown[0] <= from[0] && grown[1] >= from[1] && grown[1] - grown[0] > from[1] - from[0]);
    assert.ok(index.isGraphemeBoundary(grown[0]) && (grown[1] === index.length || index.isGraphemeBoundary(grown[1])));
    assert.deepEqual(stretched(index, grown, edge, -step, letters), from);
  }
}));
