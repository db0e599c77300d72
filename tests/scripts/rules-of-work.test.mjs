// The rules of ratings and of gradings, held to the cases that the server's are held to.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { PartsDocument } from "../../static/src/questionnaires/document.js";
import { problemsOf as problemsOfParts } from "../../static/src/questionnaires/problems.js";
import { broken as brokenByAnswers, leftOpen as partsLeftOpen } from "../../static/src/questionnaires/rules.js";
import { RatingDocument } from "../../static/src/ratings/document.js";
import { problemsOf } from "../../static/src/ratings/problems.js";
import { broken as brokenByRatings, leftOpen } from "../../static/src/ratings/rules.js";
import { broken as brokenByGrading } from "../../static/src/scoring/rules.js";

globalThis.window ??= globalThis; // where the scripts look for translations, which Node does without

const casesOf = (path) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url)));

for (const { name, rules, ratings, broken, open } of casesOf("annotation/rating_rules.json")) {
  test(name, () => {
    assert.deepEqual(brokenByRatings(rules, ratings).map(({ span, field, code, warns }) => [span, field, code, warns]), broken);
    assert.deepEqual([...leftOpen(rules, ratings)].sort(), open);
  });
}

for (const { name, rules, answers, broken, open } of casesOf("annotation/questionnaire_rules.json")) {
  test(`of a questionnaire: ${name}`, () => {
    assert.deepEqual(brokenByAnswers(rules, answers).map(({ span, field, code, warns }) => [span, field, code, warns]), broken);
    assert.deepEqual([...partsLeftOpen(rules, answers)].sort(), open);
  });
}

test("a part that is asked no more keeps what was said to it, and hands it in only when it is asked", () => {
  const questions = [{ slug: "a", type: "choice" }, { slug: "b", type: "text" }];
  const rules = [{ ask: ["b"], after: "a", answer: ["No"], message: "?" }];
  const document = new PartsDocument({ answers: {} }, questions, { rules });
  const problems = () => problemsOfParts({ questions, sides: [], rules }, document.serialise()).map(({ span }) => span);
  assert.deepEqual([...document.hidden], ["b"]);
  assert.deepEqual(problems(), ["a"]);
  document.give("a", "No");
  assert.deepEqual(problems(), ["b"]);
  document.give("b", "So.");
  assert.deepEqual(problems(), []);
  document.give("a", "Yes");
  assert.deepEqual(document.serialise(), { answers: { a: "Yes" } });
  document.give("a", "No");
  assert.deepEqual(document.serialise(), { answers: { a: "No", b: "So." } });
});

test("what waits for a part that is not asked is not asked either, whatever was said to that part before", () => {
  const questions = ["a", "b", "c"].map((slug) => ({ slug, type: "text" }));
  const rules = [{ ask: ["c"], after: "b", message: "?" }, { ask: ["b"], after: "a", answer: ["No"], message: "?" }];
  const document = new PartsDocument({ answers: { a: "No", b: "So.", c: "And so." } }, questions, { rules });
  assert.deepEqual([...document.hidden], []);
  document.give("a", "Yes");
  assert.deepEqual([...document.hidden].sort(), ["b", "c"]);
  assert.deepEqual(document.serialise(), { answers: { a: "Yes" } });
  assert.deepEqual(problemsOfParts({ questions, sides: [], rules }, document.serialise()), []);
  document.give("a", "No");
  assert.deepEqual(document.serialise(), { answers: { a: "No", b: "So.", c: "And so." } });
});

for (const { name, rules, tags, draft, broken } of casesOf("rubrics/grading_rules.json")) {
  test(name, () => {
    const criteria = Object.entries(tags).map(([key, of]) => ({ key, tags: of }));
    assert.deepEqual(brokenByGrading(rules, criteria, draft).map(({ field, code, warns }) => [field, code, warns]), broken);
  });
}

test("what was said to a question that is asked no more is kept aside, and comes back", () => {
  const questions = [{ slug: "a", lowest: 1, highest: 5 }, { slug: "b", lowest: 1, highest: 5 }];
  const rules = [{ ask: ["b"], after: "a", at_most: 2, message: "?" }];
  const document = new RatingDocument({ ratings: [] }, questions, false, { rules });
  const problems = () => problemsOf({ questions, sides: ["first"], rules }, document.serialise()).map(({ span, field }) => [span, field]);
  assert.deepEqual([...document.hidden], ["b"]);
  assert.deepEqual(problems(), [["a", "first"]]);
  document.update("a", { first: 2 });
  assert.deepEqual(problems(), [["b", "first"]]);
  document.update("b", { first: 4, comment: "So." });
  assert.deepEqual(problems(), []);
  document.update("a", { first: 5 });
  assert.deepEqual(document.serialise().ratings[1], { question: "b", first: null, comment: "" });
  assert.deepEqual(problems(), []);
  document.update("a", { first: 1 });
  assert.deepEqual(document.serialise().ratings[1], { question: "b", first: 4, comment: "So." });
});

test("a question that waits for one that is not asked is not asked either", () => {
  const questions = ["a", "b", "c"].map((slug) => ({ slug, lowest: 1, highest: 5 }));
  const rules = [{ ask: ["c"], after: "b", message: "?" }, { ask: ["b"], after: "a", at_most: 2, message: "?" }];
  const document = new RatingDocument({ ratings: [] }, questions, false, { rules });
  for (const slug of ["a", "b", "c"]) document.update(slug, { first: 2 });
  assert.deepEqual([...document.hidden], []);
  document.update("a", { first: 5 });
  assert.deepEqual([...document.hidden].sort(), ["b", "c"]);
  assert.deepEqual(problemsOf({ questions, sides: ["first"], rules }, document.serialise()), []);
});
