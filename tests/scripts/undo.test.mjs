// Whatever is done to a draft can be undone, step by step to its beginning, and done again.
import assert from "node:assert/strict";
import { test } from "node:test";

import { forSeeds } from "./chance.mjs";
import { GradeDocument } from "../../static/src/scoring/document.js";
import { LocalisationDocument } from "../../static/src/localising/document.js";
import { RatingDocument } from "../../static/src/ratings/document.js";
import { ReviewDocument } from "../../static/src/reviews/document.js";
import { RubricDocument } from "../../static/src/authoring/document.js";
import { SpanDocument } from "../../static/src/spans/document.js";

/** A clock by which any two deeds are more than a pause of typing apart, and ids that count. */
function apart() {
  let time = 0;
  let id = 0;
  return { now: () => (time += 5000), newId: () => `id-${(id += 1)}` };
}

function assertThereAndBack(document, act, chance) {
  const seen = () => JSON.stringify(document.serialise());
  const states = [seen()];
  for (let deeds = chance.below(15); deeds > 0; deeds -= 1) {
    act();
    if (seen() !== states.at(-1)) states.push(seen());
  }
  assert.equal(document.canUndo, states.length > 1);
  const back = [seen()];
  while (document.undo()) back.unshift(seen());
  assert.deepEqual(back, states);
  const again = [seen()];
  while (document.redo()) again.push(seen());
  assert.deepEqual(again, states);
}

test("a rubric", () => forSeeds(400, (chance) => {
  const document = new RubricDocument({}, apart());
  const key = () => (document.criteria.length ? chance.of(document.criteria).key : null);
  const text = () => chance.of(["", "a", "ab", "é\u0301", "👩🏾‍🚀", "كشري"]);
  assertThereAndBack(document, () => chance.of([
    () => document.add({}, key()),
    () => document.move(key(), chance.below(7) - 1),
    () => document.remove(key()),
    () => document.write(chance.of(["prompt", "gold_answer"]), text(), { typing: true }),
    () => document.update(key(), { text: text() }, { typing: "text" }),
    () => key() && document.accept({ code: "stacked", criterion: key(), words: "" }, "so"),
    () => document.replace({ prompt: text(), criteria: document.criteria.slice(1) }),
  ])(), chance);
}));

test("marked errors", () => forSeeds(400, (chance) => {
  const document = new SpanDocument({ no_errors: true, spans: [] }, apart());
  const id = () => (document.size ? chance.of(document.list()).id : "none");
  const words = () => {
    const start = chance.below(20);
    return { anchor: "words", start, end: start + 1 + chance.below(8), quote: "q" };
  };
  assertThereAndBack(document, () => chance.of([
    () => document.add(chance.of([words(), { anchor: "paragraph", paragraph: chance.below(3) }, { anchor: "response" }])),
    () => document.update(id(), { explanation: chance.of(["", "a", "ab"]) }, { typing: "explanation" }),
    () => document.update(id(), words()),
    () => document.remove(id()),
    () => document.setNoErrors(chance.below(2) === 1),
    () => document.replace({ no_errors: false, spans: document.list().slice(1) }),
  ])(), chance);
}));

test("ratings", () => forSeeds(400, (chance) => {
  const document = new RatingDocument({}, [{ slug: "depth" }, { slug: "tone" }], true, apart());
  const slug = () => chance.of(["depth", "tone"]);
  assertThereAndBack(document, () => chance.of([
    () => document.update(slug(), { [chance.of(["first", "second"])]: chance.below(5) + 1 }),
    () => document.update(slug(), { preference: chance.of(["", "first", "second", "tie"]) }),
    () => document.update(slug(), { comment: chance.of(["", "a", "ab"]) }, { typing: "comment" }),
    () => document.replace({ ratings: [{ question: slug(), first: 2, second: 1 }] }),
  ])(), chance);
}));

test("a grade", () => forSeeds(400, (chance) => {
  let keys = 0;
  const document = new GradeDocument({}, [{ key: "c1" }, { key: "c2" }], { ...apart(), newKey: () => `n${(keys += 1)}` });
  const key = () => (document.negatives.length ? chance.of(document.negatives).key : "none");
  assertThereAndBack(document, () => chance.of([
    () => document.decide(chance.of(["c1", "c2"]), chance.of(["PASS", "FAIL"])),
    () => document.add(chance.of([undefined, { start: 1, end: 3, quote: "ab" }])),
    () => document.update(key(), { text: chance.of(["", "a", "ab"]) }, { typing: "text" }),
    () => document.update(key(), { failure_type: "omission" }),
    () => document.remove(key()),
    () => document.setComment(chance.of(["", "كشري"])),
    () => document.replace({ verdicts: { c1: "PASS", other: "FAIL" }, negatives: document.negatives.slice(1), comment: "" }),
  ])(), chance);
}));

test("reviews", () => forSeeds(400, (chance) => {
  const document = new ReviewDocument({ reviews: [{ span: "a" }, { span: "b" }] }, apart());
  const span = () => chance.of(["a", "b"]);
  assertThereAndBack(document, () => chance.of([
    () => document.update(span(), { verdict: chance.of(["", "keep", "reject", "correct"]) }),
    () => document.update(span(), { comment: chance.of(["", "a", "ab"]) }, { typing: "comment" }),
    () => document.replace({ reviews: [{ span: "a", verdict: "keep" }, { span: "b", verdict: "differs" }, { span: "unknown" }] }),
  ])(), chance);
}));

test("a localisation", () => forSeeds(400, (chance) => {
  const document = new LocalisationDocument({}, apart());
  const text = () => chance.of(["", "a", "ab", "كشري"]);
  assertThereAndBack(document, () => chance.of([
    () => document.write(text()),
    () => document.write(text(), { typing: false }),
    () => document.give(chance.of(["city", "food"]), text()),
    () => document.replace({ text: text(), values: { city: text() } }),
  ])(), chance);
}));

test("a change of several reviews names each that differs, before and after", () => {
  const document = new ReviewDocument({ reviews: [{ span: "a" }, { span: "b" }, { span: "c" }] });
  const seen = [];
  document.addEventListener("change", ({ detail }) => seen.push(
    [...detail.after].filter(([key, review]) => detail.before.get(key) !== review).map(([key, { verdict }]) => [key, verdict])));
  document.replace({ reviews: [{ span: "a", verdict: "keep" }, { span: "b" }, { span: "c", verdict: "reject" }] });
  assert.equal(document.undo().touched, "a");
  assert.deepEqual(seen, [[["a", "keep"], ["c", "reject"]], [["a", ""], ["c", ""]]]);
});

for (const [what, make, type] of [
  ["a grade", (options) => new GradeDocument({}, [{ key: "c1" }], options), (document, text) => document.setComment(text)],
  ["reviews", (options) => new ReviewDocument({ reviews: [{ span: "a" }] }, options),
    (document, text) => document.update("a", { comment: text }, { typing: "comment" })],
  ["a localisation", (options) => new LocalisationDocument({}, options), (document, text) => document.write(text)],
  ["a rubric", (options) => new RubricDocument({}, options), (document, text) => document.write("prompt", text, { typing: true })],
  ["ratings", (options) => new RatingDocument({}, [{ slug: "depth" }], true, options),
    (document, text) => document.update("depth", { comment: text }, { typing: "comment" })],
  ["marked errors", (options) => {
    const spans = [{ id: "s", anchor: "words", start: 0, end: 1 }];
    return new SpanDocument({ no_errors: false, spans }, options);
  }, (document, text) => document.update("s", { explanation: text }, { typing: "explanation" })],
]) {
  test(`typing in ${what} is one step until there is a pause`, () => {
    let time = 0;
    const document = make({ now: () => time });
    const before = JSON.stringify(document.serialise());
    for (const text of ["a", "ab", "abc"]) {
      time += 1100;
      type(document, text);
    }
    const paused = JSON.stringify(document.serialise());
    time += 1300;
    type(document, "abcd");
    document.undo();
    assert.equal(JSON.stringify(document.serialise()), paused);
    document.undo();
    assert.equal(JSON.stringify(document.serialise()), before);
    assert.equal(document.canUndo, false);
  });

  test(`${what}: what is done after a step back takes the place of what was undone`, () => {
    const document = make(apart());
    type(document, "a");
    document.undo();
    type(document, "b");
    assert.equal(document.canRedo, false);
    assert.ok(JSON.stringify(document.serialise()).includes('"b"'));
  });

  test(`${what}: 500 steps are kept`, () => {
    const document = make(apart());
    for (let n = 0; n < 510; n += 1) type(document, `text ${n}`);
    let steps = 0;
    while (document.undo()) steps += 1;
    assert.equal(steps, 500);
  });
}
