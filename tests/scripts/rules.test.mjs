// Small rules: weights in any digits, placeholders, scores, contradictions.
import assert from "node:assert/strict";
import { test } from "node:test";

import "./chance.mjs";
import { isOutside, readWeight } from "../../static/src/authoring/weights.js";
import { filledParts, namesIn, partsOf } from "../../static/src/localising/placeholders.js";
import { contradiction, problemsOf } from "../../static/src/ratings/problems.js";
import { score, warnings } from "../../static/src/scoring/score.js";

test("a weight is read in the digits of each script", () => {
  for (const text of ["17", " 17 ", "١٧", "۱۷", "१७", "১৭", "１７"]) assert.equal(readWeight(text), 17);
  for (const text of ["", "0", "101", "-101", "1.5", "3 4", "x", "00000"]) assert.equal(readWeight(text), null);
  assert.equal(readWeight("100"), 100);
});

test("a weight is outside of a band only where both are chosen", () => {
  const band = { lowest: 3, highest: 5 };
  assert.deepEqual([2, 3, 5, 6, null].map((weight) => isOutside(weight, band)), [true, false, false, true, false]);
  assert.equal(isOutside(2, null), false);
});

test("placeholders are found, cut out and filled", () => {
  const text = "In [locale_country], [who] and [locale_country]; not [Big] or [ x]";
  assert.deepEqual(namesIn(text), ["locale_country", "who"]);
  assert.equal(partsOf(text).map((part) => part.text).join(""), text);
  const filled = filledParts(text, { locale_country: "Egypt", who: "  " });
  assert.equal(filled.map((part) => part.text).join(""), "In Egypt, [who] and Egypt; not [Big] or [ x]");
  assert.deepEqual(filled.filter((part) => part.name).map((part) => part.filled), [true, false, true]);
});

const CRITERIA = [{ key: "a", weight: 6 }, { key: "b", weight: 4 }, { key: "c", weight: -3 }];

test("verdicts add up", () => {
  const draft = { verdicts: { a: "pass", b: "fail", c: "present" }, negatives: [{ weight: -2 }, { weight: null }] };
  assert.deepEqual(score(CRITERIA, draft), { raw: 1, maximum: 10, percent: 10, lost: 5 });
  assert.equal(score([{ key: "c", weight: -3 }], { verdicts: {}, negatives: [] }).percent, null);
});

test("slips are asked about once all is decided", () => {
  const verdicts = { a: "pass", b: "fail", c: "absent" };
  assert.equal(warnings(CRITERIA, { verdicts: { a: "fail" }, negatives: [] }).length, 0);
  assert.match(warnings(CRITERIA, { verdicts, negatives: [] })[0], /no error is named/);
  assert.equal(warnings(CRITERIA, { verdicts, negatives: [{ weight: -1 }] }).length, 0);
  const passed = { ...verdicts, b: "pass" };
  assert.match(warnings(CRITERIA, { verdicts: passed, negatives: [{ weight: -5 }] })[0], /take away .5. of .10. points/);
  assert.equal(warnings(CRITERIA, { verdicts: passed, negatives: [{ weight: -4 }] }).length, 0);
});

test("a preference against one's own grades is asked about, whichever side stands first", () => {
  const rating = (first, second, preference) => ({ first, second, preference });
  const said = (sides, each) => contradiction({ sides }, each);
  assert.match(said(["first", "second"], rating(1, 2, "first")), /A lower than B/);
  assert.match(said(["second", "first"], rating(1, 2, "first")), /B lower than A/);
  assert.match(said(["first", "second"], rating(1, 2, "tie")), /differ/);
  for (const each of [rating(2, 1, "first"), rating(1, 1, "first"), rating(1, 1, "tie"), rating(1, null, "first"), rating(1, 2, "")]) {
    assert.equal(said(["first", "second"], each), "");
  }
  assert.equal(said(["first"], rating(1, 2, "second")), "");
});

test("a grade a side is missing, or a preference where there is no scale", () => {
  const questions = [{ slug: "depth", lowest: 1 }, { slug: "better", lowest: null }];
  const ratings = [{ question: "depth", first: 3, second: null, preference: "" }, { question: "better", first: null, second: null, preference: "" }];
  const missing = problemsOf({ questions, sides: ["first", "second"] }, { ratings }).map(({ span, field }) => [span, field]);
  assert.deepEqual(missing, [["depth", "second"], ["better", "preference"]]);
});
