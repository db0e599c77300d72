// A mark in several places: parts in reading order, apart from one another; found, compared and undone as one mark.
import assert from "node:assert/strict";
import { test } from "node:test";

import { forSeeds } from "./chance.mjs";
import { SpanDocument, combine, plainSpan, sameDraft } from "../../static/src/spans/document.js";
import { TextIndex } from "../../static/src/spans/offsets.js";
import { SpanOrder } from "../../static/src/spans/order.js";
import { MOST_PARTS, joined, partAt, partsOf, sameWords, wordsOf } from "../../static/src/spans/parts.js";
import { findProblems } from "../../static/src/spans/validation.js";

const PIECES = [..."a é\u0301\r\n\t\u200d👨👩🏽🇪🇬ক্ষ্র‍ीक्षिسَّـ가\u1100\u1161𠮷。 "];
const anchored = (values) => ({ id: "m", anchor: "words", type: "t", criticality: "c", explanation: "Because.", ...values });

test("parts hold exactly the characters chosen, in order and apart, whatever was chosen in which order", () => forSeeds(400, (chance) => {
  const text = chance.listOf(30, () => chance.of(PIECES)).join("");
  const index = new TextIndex(text);
  if (index.codePoints < 2) return;
  const chosen = Array.from({ length: 1 + chance.below(6) }, () => {
    const start = chance.below(index.codePoints - 1);
    return { start, end: Math.min(index.codePoints, start + 1 + chance.below(5)) };
  });
  const parts = partsOf(anchored(joined(chosen, (start, end) => index.slice(start, end))));
  const points = Array.from(text);
  for (const { start, end, quote } of parts) assert.equal(quote, points.slice(start, end).join(""));
  for (let at = 1; at < parts.length; at += 1) assert.ok(parts[at - 1].end < parts[at].start, "neither overlapping nor touching");
  const within = (ranges) => points.map((_point, at) => ranges.some(({ start, end }) => start <= at && at < end));
  assert.deepEqual(within(parts), within(chosen));
  const reversed = joined([...chosen].reverse(), (start, end) => index.slice(start, end));
  assert.ok(sameWords(reversed, joined(chosen, (start, end) => index.slice(start, end))));
}));

test("a mark is found at each of its parts and at none of the words between", () => {
  const he = anchored({ id: "he", start: 0, end: 2, quote: "he", more: [{ start: 8, end: 10, quote: "up" }] });
  const gave = anchored({ id: "gave", start: 3, end: 7, quote: "gave" });
  const order = new SpanOrder([gave, he]);
  const found = (at) => order.at(at).map(({ id }) => id);
  assert.deepEqual([0, 2, 4, 7, 8, 9, 10].map(found), [["he"], [], ["gave"], [], ["he"], ["he"], []]);
  assert.deepEqual(order.overlapping(3, 9).map(({ id }) => id), ["he", "gave"], "in reading order of the marks");
  order.remove(he);
  assert.deepEqual(found(8), []);
  order.insert({ ...he, more: [{ start: 5, end: 6, quote: "v" }] });
  assert.deepEqual(found(5), ["he", "gave"], "the shorter of all its words first");
  order.insert({ ...he, more: undefined });
  assert.deepEqual(found(5), ["gave"], "and no longer where it has lost its part");
});

test("the part of the caret is the one that it stands in or reaches into, else the first", () => {
  const parts = [{ start: 0, end: 2 }, { start: 8, end: 10 }];
  assert.deepEqual([[0, 1], [9, 12], [2, 8], [40, 41]].map(([start, end]) => partAt(parts, start, end)), [0, 1, 0, 0]);
});

test("adding a part is one step, which undo takes back whole", () => {
  const document = new SpanDocument({ spans: [anchored({ start: 0, end: 2, quote: "he" })] });
  const alone = document.serialise();
  assert.equal("more" in alone.spans[0], false, "a mark of one part says nothing of others");
  document.update("m", joined([{ start: 0, end: 2 }, { start: 8, end: 10 }], () => "up"));
  assert.deepEqual(document.get("m").more, [{ start: 8, end: 10, quote: "up" }]);
  document.update("m", { ...joined([{ start: 0, end: 2 }, { start: 8, end: 10 }], () => "up") });
  document.undo();
  assert.deepEqual(document.serialise(), alone, "what changed nothing was no step");
  document.redo();
  assert.equal(wordsOf(document.get("m")), "up … up");
});

test("drafts are the same whichever order a database gives the keys of a part", () => {
  const one = { spans: [anchored({ start: 0, end: 2, quote: "he", more: [{ start: 8, end: 10, quote: "up" }] })] };
  const other = { spans: [anchored({ start: 0, end: 2, quote: "he", more: [{ end: 10, quote: "up", start: 8 }] })] };
  assert.ok(sameDraft(one, other));
  assert.ok(!sameDraft(one, { spans: [plainSpan({ ...one.spans[0], more: null })] }));
});

test("two marks that begin alike are the same only with the same parts", () => {
  const one = anchored({ id: "a", start: 0, end: 2, quote: "he", more: [{ start: 8, end: 10, quote: "up" }] });
  const codes = (more) => findProblems(new SpanDocument({ spans: [one, { ...one, id: "b", more }] })).map(({ code }) => code);
  assert.deepEqual(codes(one.more), ["repeated"]);
  assert.deepEqual(codes(null), []);
});

const TEXT = "he 👨‍👩‍👧 gave the idea up at once";
const POINTS = Array.from(TEXT);
/** A mark on all of these words of TEXT. */
const on = (...words) => anchored(joined(words.map((word) => {
  const start = Array.from(TEXT.slice(0, TEXT.indexOf(word))).length;
  return { start, end: start + Array.from(word).length };
}), (start, end) => POINTS.slice(start, end).join("")));
const together = (mine, theirs) => combine({ spans: [mine] }, { spans: [theirs] }).spans.map(wordsOf);

test("a mark to which two tabs brought words elsewhere has all of them when they are combined", () => {
  assert.deepEqual(together(on("gave", "up"), on("gave", "once")), ["gave … up … once"]);
  assert.deepEqual(together(on("gave"), on("gave", "up")), ["gave … up"]);
  assert.deepEqual(together(on("gave", "up"), on("👨‍👩‍👧", "gave")), ["👨‍👩‍👧 … gave … up"], "whichever is the first of the text");
  assert.deepEqual(together(on("gave", "idea up"), on("gave", "up at")), ["gave … idea up at"], "what overlaps is one part");
  const [span] = combine({ spans: [on("gave", "up")] }, { spans: [on("he", "gave")] }).spans;
  for (const { start, end, quote } of partsOf(span)) assert.equal(quote, POINTS.slice(start, end).join(""));
});

test("two versions that are not of one error stay two marks, and none is lost", () => {
  assert.deepEqual(together(on("gave"), on("gave the")), ["gave", "gave the"], "moved, not divided");
  assert.deepEqual(together(on("gave", "up"), on("he", "once")), ["gave … up", "he … once"], "no word in common");
  assert.deepEqual(together(on("gave", "up"), { ...on("gave", "once"), explanation: "Other." }), ["gave … up", "gave … once"]);
  const many = (from) => anchored(joined(Array.from({ length: MOST_PARTS }, (_, at) => ({ start: at && from + 2 * at, end: (at && from + 2 * at) + 1 })), () => "x"));
  assert.equal(together(many(0), many(60)).length, 2, "together more parts than a mark may have");
});

test("what both tabs have is combined to itself, whichever order a database gives its fields", () => {
  const mine = { spans: [plainSpan(on("gave", "up")), plainSpan({ ...on("once"), id: "n" })] };
  const reversed = (object) => Object.fromEntries(Object.entries(object).reverse());
  const theirs = { spans: mine.spans.map((span) => reversed({ ...span, ...(span.more ? { more: span.more.map(reversed) } : {}) })) };
  assert.deepEqual(combine(mine, theirs).spans, mine.spans);
});
