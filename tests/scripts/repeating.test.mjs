// The other places of the same words, over whatever is written.
import assert from "node:assert/strict";
import { test } from "node:test";

import { forSeeds } from "./chance.mjs"; // before the scripts: it gives them their window
import { TextIndex } from "../../static/src/spans/offsets.js";
import { otherPlaces } from "../../static/src/spans/repeating.js";

const places = (text, quote, language = "en") => {
  const start = text.indexOf(quote);
  return otherPlaces(new TextIndex(text, language), [start, start + quote.length]).map(([from]) => from);
};

test("whole words are found as whole words, in reading order", () => {
  assert.deepEqual(places("The tea. Steam of tea, teapots, tea", "tea"), [18, 32]);
});

test("letters within a word are found within words", () => {
  assert.deepEqual(places("abcd xbcx bc", "bc"), [6, 10]);
});

test("words that stand once have no other place", () => {
  assert.deepEqual(places("The tea is hot", "tea"), []);
});

test("places overlap neither the mark nor one another", () => {
  assert.deepEqual(places("aaaaaaa", "aa"), [2, 4]);
});

test("Arabic, Bengali, Korean and emoji", () => {
  assert.deepEqual(places("الكشري أكلة، الكشري غالي والكشري حلو", "الكشري", "ar"), [13]);
  assert.deepEqual(places("ক্ষীর ও ক্ষীর", "ক্ষীর", "bn"), ["ক্ষীর ও ".length]);
  assert.deepEqual(places("김치와 밥과 김치와", "김치와", "ko"), [7]);
  // A family is not the woman in it.
  assert.deepEqual(places("👩 and 👨‍👩‍👧 and 👩", "👩"), ["👩 and 👨‍👩‍👧 and ".length]);
});

test("a long text is searched in one pass", () => {
  const text = "the word ".repeat(6000);
  assert.equal(places(text, "word").length, 5999);
});

test("every place holds the very words and none overlaps another", () => forSeeds(200, (chance) => {
  const pieces = ["a", "b", " ", "e\u0301", "👩‍👧", "👩", "ক্ষি", "가", "**", "\n"];
  const text = Array.from({ length: 1 + chance.below(40) }, () => chance.of(pieces)).join("");
  const index = new TextIndex(text, chance.of(["en", "ar", "bn", "ko"]));
  const [start, end] = index.graphemeAt(chance.below(text.length));
  let last = 0;
  for (const [from, to] of otherPlaces(index, [start, end])) {
    assert.equal(text.slice(from, to), text.slice(start, end));
    assert.ok(index.isGraphemeBoundary(from) && from >= last && (to <= start || from >= end));
    last = to;
  }
}));
