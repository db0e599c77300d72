// Two versions of one draft: when they are the same, and what both together are.
import assert from "node:assert/strict";
import { test } from "node:test";

import { forSeeds } from "./chance.mjs";
import * as ratings from "../../static/src/ratings/document.js";
import * as rubrics from "../../static/src/authoring/document.js";
import * as spans from "../../static/src/spans/document.js";

const criterion = (key, text) => ({ key, text, weight: 3, band: "", objectivity: "", explicitness: "", tags: [] });

test("of two rubrics my words stay, and theirs where I wrote none", () => {
  const both = rubrics.combine({ prompt: "Mine", gold_answer: "  " }, { prompt: "Theirs", gold_answer: "Coffee", scope: "local" });
  assert.deepEqual([both.prompt, both.gold_answer, both.scope], ["Mine", "Coffee", "local"]);
});

test("every criterion of both rubrics is there, and one that differs twice", () => {
  const mine = { criteria: [criterion("same", "As it was"), criterion("changed", "My words"), criterion("mine", "Only here")] };
  const theirs = { criteria: [criterion("same", "As it was"), criterion("changed", "Their words"), criterion("theirs", "Only there")] };
  const both = rubrics.combine(mine, theirs, () => "new");
  assert.deepEqual(both.criteria.map(({ key, text }) => [key, text]), [
    ["same", "As it was"], ["changed", "My words"], ["mine", "Only here"], ["new", "Their words"], ["theirs", "Only there"],
  ]);
});

test("no word of either rubric is lost, and no key comes twice", () => forSeeds(300, (chance) => {
  let id = 0;
  const draft = () => ({
    criteria: [...new Map(chance.listOf(6, () => criterion(`c${chance.below(6)}`, `text ${chance.below(4)}`)).map((each) => [each.key, each])).values()],
  });
  const [mine, theirs] = [draft(), draft()];
  const both = rubrics.combine(mine, theirs, () => `new-${(id += 1)}`);
  const keys = both.criteria.map(({ key }) => key);
  assert.equal(new Set(keys).size, keys.length);
  assert.deepEqual(both.criteria.slice(0, mine.criteria.length), mine.criteria);
  const texts = both.criteria.map(({ text }) => text);
  for (const { text } of theirs.criteria) assert.ok(texts.includes(text));
  assert.ok(rubrics.sameDraft(rubrics.combine(mine, mine), mine), "a version with itself is itself");
}));

test("a finding that both kept is kept once, with my reason", () => {
  const finding = (reason) => ({ code: "stacked", criterion: "c", words: "and", reason });
  const both = rubrics.combine({ accepted: [finding("mine")] }, { accepted: [finding("theirs"), { ...finding("other"), words: "or" }] });
  assert.deepEqual(both.accepted.map(({ words, reason }) => [words, reason]), [["and", "mine"], ["or", "other"]]);
});

test("the order of criteria is part of a rubric, that of kept findings is not", () => {
  const [a, b] = [criterion("a", "A"), criterion("b", "B")];
  assert.equal(rubrics.sameDraft({ criteria: [a, b] }, { criteria: [b, a] }), false);
  const [x, y] = [{ code: "x", reason: "so" }, { code: "y", reason: "so" }];
  assert.equal(rubrics.sameDraft({ accepted: [x, y] }, { accepted: [y, x] }), true);
});

test("of two ratings what I said stays, and theirs where I said nothing", () => {
  const mine = { ratings: [{ question: "depth", first: 4, second: null, preference: "", comment: "" }, { question: "tone", first: 0, second: 2, preference: "tie", comment: "Mine" }] };
  const theirs = { ratings: [{ question: "depth", first: 1, second: 2, preference: "first", comment: "Theirs" }, { question: "tone", first: 5, second: 5, preference: "first", comment: "Theirs" }] };
  assert.deepEqual(ratings.combine(mine, theirs).ratings, [
    { question: "depth", first: 4, second: 2, preference: "first", comment: "Theirs" },
    { question: "tone", first: 0, second: 2, preference: "tie", comment: "Mine" },
  ]);
  assert.equal(ratings.sameDraft(mine, { ratings: [...mine.ratings].reverse() }), true);
});

test("marked errors are the same in whatever order they come, and not after a change", () => {
  const span = (id, start, words) => ({ id, anchor: "words", start, end: start + 2, explanation: words });
  const draft = { spans: [span("a", 4, "so"), span("b", 0, "so")] };
  assert.equal(spans.sameDraft(draft, { no_errors: false, spans: [...draft.spans].reverse() }), true);
  assert.equal(spans.sameDraft(draft, { spans: [span("a", 4, "other"), span("b", 0, "so")] }), false);
  assert.equal(spans.sameDraft(draft, { ...draft, no_errors: true }), false);
});
