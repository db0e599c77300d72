// Points as they are typed: those that a grader takes away, beside a minus that is printed, and those of an author.
import assert from "node:assert/strict";
import test from "node:test";
import { RubricDocument } from "../../static/src/authoring/document.js";
import { isOutside, readWeight } from "../../static/src/authoring/weights.js";
import { weightFrom } from "../../static/src/scoring/score.js";

test("a minus that is typed beside the printed one is the same minus", () => {
  for (const typed of ["5", "-5", "−5", " 5 "]) assert.equal(weightFrom(typed, 30), -5, typed);
});

test("what is no whole number within the bounds is no weight", () => {
  for (const typed of ["", "-", "0", "-0", "2.5", "31", "-31", "--5", "five"]) assert.equal(weightFrom(typed, 30), null, typed);
});

test("an author writes a weight in the digits of any script, and an error with a minus before it", () => {
  for (const typed of ["-12", "−12", "\u061c-١٢", "-১২", " -12 "]) assert.equal(readWeight(typed), -12, typed);
  for (const typed of ["12", "١٢"]) assert.equal(readWeight(typed), 12, typed);
  for (const typed of ["", "-", "0", "-0", "101", "-101", "--5", "5-", "1.5"]) assert.equal(readWeight(typed), null, typed);
  assert.equal(isOutside(-9, { lowest: 8, highest: 10 }), false);
  assert.equal(isOutside(-7, { lowest: 8, highest: 10 }), true);
});

test("tags are part of what a draft says, and changing them is one step that undo takes back", () => {
  const draft = new RubricDocument({ criteria: [{ key: "a", text: "x", weight: 5 }] });
  assert.deepEqual(draft.get("a").tags, []);
  const before = draft.get("a");
  draft.update("a", { tags: [] });
  assert.equal(draft.get("a"), before, "nothing was changed");
  draft.update("a", { tags: ["axis:tone"] });
  assert.deepEqual(draft.serialise().criteria[0].tags, ["axis:tone"]);
  draft.undo();
  assert.deepEqual(draft.get("a").tags, []);
});
