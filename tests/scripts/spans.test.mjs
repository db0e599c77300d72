// Marks in reading order, which of them cover a position, what stands in the way of submitting, offsets and words.
import assert from "node:assert/strict";
import { test } from "node:test";

import { forSeeds } from "./chance.mjs";
import { SpanDocument } from "../../static/src/spans/document.js";
import { lastAtMost, TextIndex } from "../../static/src/spans/offsets.js";
import { SpanOrder } from "../../static/src/spans/order.js";

const PIECES = [..."a é\u0301\r\n\t\u200d\u200c👨👩🏽🇪🇬ক্ষ্র‍ীक्षिسَّـ가\u1100\u1161ไทย𠮷。 "];

const mark = (chance, id) => {
  const anchor = chance.of(["words", "words", "words", "paragraph", "response"]);
  const start = chance.below(30);
  if (anchor === "words") return { id, anchor, start, end: start + 1 + chance.below(12), paragraph: null };
  return { id, anchor, start: null, end: null, paragraph: anchor === "paragraph" ? chance.below(4) : null };
};

test("the marks over a stretch are those that one finds by looking at all", () => forSeeds(400, (chance) => {
  const marks = Array.from({ length: chance.below(25) }, (_, n) => mark(chance, `m${String(n).padStart(2, "0")}`));
  const half = Math.floor(marks.length / 2);
  const order = new SpanOrder(marks.slice(0, half));
  for (const each of marks.slice(half)) order.insert(each);
  const gone = marks.filter(() => chance.below(4) === 0);
  for (const each of gone) order.remove(each);
  const left = marks.filter((each) => !gone.includes(each));
  assert.deepEqual(order.ids, new SpanOrder(left).ids, "inserting one by one gives the order of all at once");
  const words = order.sorted.filter(({ anchor }) => anchor === "words");
  for (let start = 0; start < 42; start += 1) {
    const end = start + 1 + chance.below(6);
    const covering = words.filter((each) => each.start < end && each.end > start).map(({ id }) => id);
    assert.deepEqual(order.overlapping(start, end).map(({ id }) => id), covering);
    const lengths = order.at(start).map((each) => each.end - each.start);
    assert.deepEqual(lengths, [...lengths].sort((a, b) => a - b), "the shortest first");
    assert.equal(lengths.length, words.filter((each) => each.start <= start && each.end > start).length);
  }
}));

test("words come first by position, then paragraphs, then the response", () => {
  const spans = [{ id: "r", anchor: "response" }, { id: "p2", anchor: "paragraph", paragraph: 2 }, { id: "w9", anchor: "words", start: 9, end: 12 },
    { id: "p1", anchor: "paragraph", paragraph: 1 }, { id: "w3", anchor: "words", start: 3, end: 5 }, { id: "w3-longer", anchor: "words", start: 3, end: 8 }];
  assert.deepEqual(new SpanDocument({ spans }).list().map(({ id }) => id), ["w3-longer", "w3", "w9", "p1", "p2", "r"]);
});

test("a mark takes the claim of no errors back, in the same step", () => {
  const document = new SpanDocument({ no_errors: true, spans: [] });
  document.add({ anchor: "response" });
  assert.equal(document.noErrors, false);
  document.undo();
  assert.deepEqual(document.serialise(), { no_errors: true, spans: [] });
});

test("what is missing is named mark by mark and field by field", () => {
  const full = { anchor: "words", start: 0, end: 2, type: "fact", criticality: "low", category: "c", explanation: "Because." };
  const codes = (spans, options) => new SpanDocument({ spans }, options).problems().map(({ span, field, code }) => [span, field, code]);
  assert.deepEqual(codes([]), [[null, null, "nothing"]]);
  assert.deepEqual(codes([{ ...full, id: "a" }]), []);
  assert.deepEqual(codes([{ id: "a", anchor: "response", explanation: "  " }]),
    [["a", "type", "required"], ["a", "criticality", "required"], ["a", "explanation", "required"]]);
  assert.deepEqual(codes([{ ...full, id: "a", category: "" }], { asksCategory: () => true }), [["a", "category", "required"]]);
  assert.deepEqual(codes([{ ...full, id: "a" }, { ...full, id: "b", explanation: " Because. " }]), [["b", "explanation", "repeated"]]);
});

test("an index is found as by looking at all", () => forSeeds(100, (chance) => {
  const values = chance.listOf(20, () => chance.below(15)).sort((a, b) => a - b);
  for (let value = -1; value < 16; value += 1) {
    assert.equal(lastAtMost(values, value), values.filter((each) => each <= value).length - 1);
  }
}));

test("code points and UTF-16 units are converted there and back", () => forSeeds(500, (chance) => {
  const text = chance.listOf(30, () => chance.of(PIECES)).join("");
  const index = new TextIndex(text);
  const points = Array.from(text);
  assert.equal(index.codePoints, points.length);
  for (let at = 0; at <= points.length; at += 1) {
    assert.equal(index.toUtf16(at), points.slice(0, at).join("").length);
    assert.equal(index.toCodePoint(index.toUtf16(at)), at);
    assert.equal(index.slice(0, at), points.slice(0, at).join(""));
  }
}));

test("words and snapped stretches lie on graphemes and never overlap", () => forSeeds(500, (chance) => {
  const text = chance.listOf(30, () => chance.of(PIECES)).join("");
  const index = new TextIndex(text);
  let end = 0;
  for (let number = 0; number < index.wordCount; number += 1) {
    const word = index.word(number);
    assert.ok(end <= word[0] && word[0] < word[1]);
    assert.ok(word.every((at) => index.isGraphemeBoundary(at)));
    assert.equal(index.wordNumberAt(word[0]), number);
    assert.deepEqual(index.snapToWords(word[0], word[1]), word);
    end = word[1];
  }
  const [from, to] = [chance.below(text.length + 1), chance.below(text.length + 1)].sort((a, b) => a - b);
  const snapped = index.snapToGraphemes(from, to);
  if (from < to) assert.ok(snapped[0] <= from && snapped[1] >= to && snapped.every((at) => index.isGraphemeBoundary(at)));
  else assert.deepEqual(snapped, [from, from]);
  const words = index.snapToWords(from, to);
  if (words) assert.ok(words[0] < to && words[1] > from);
}));

test("what is hidden is in no word, and what stands around it is whole", () => {
  const text = "a **bold** [link](https://b.example/c_d) and snake_case, e-mail.";
  const index = new TextIndex(text, "en");
  const words = () => Array.from({ length: index.wordCount }, (_, number) => text.slice(...index.word(number)));
  assert.deepEqual(words(), ["a", "bold", "link", "https", "b.example", "c_d", "and", "snake_case", "e-mail"]);
  const address = text.indexOf("](");
  index.hide([[2, 4], [8, 10], [11, 12], [address, text.indexOf(")") + 1], [text.indexOf("_c"), text.indexOf("_c") + 1]]);
  assert.deepEqual(words(), ["a", "bold", "link", "and", "snake", "case", "e-mail"]);
  assert.deepEqual(index.snapToWords(2, 4), null);
  assert.deepEqual(index.snapToWords(3, 7), [4, 8]);
  index.hide([]);
  assert.equal(index.wordCount, 9);
});

test("an answer to what is asked no more is left out, of an older draft and of one from another tab", () => {
  const older = { no_errors: true, spans: [], answers: { gone: "Yes", there: 3 } };
  const document = new SpanDocument(older, { parts: [{ slug: "there", optional: true }] });
  assert.deepEqual(document.serialise().answers, { there: 3 });
  assert.deepEqual(document.problems(), []);
  document.replace({ ...older, answers: { gone: "Yes", there: 4 } });
  assert.deepEqual(document.serialise().answers, { there: 4 });
  document.replace({ ...older, answers: { gone: "No", there: 4 } });
  document.undo();
  assert.deepEqual(document.serialise().answers, { there: 3 }, "what differs in nothing that is asked is no step");
});
