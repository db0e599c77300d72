// Points to take away, typed beside a minus that is printed.
import assert from "node:assert/strict";
import test from "node:test";
import { weightFrom } from "../../static/src/scoring/score.js";

test("a minus that is typed beside the printed one is the same minus", () => {
  for (const typed of ["5", "-5", "−5", " 5 "]) assert.equal(weightFrom(typed, 30), -5, typed);
});

test("what is no whole number within the bounds is no weight", () => {
  for (const typed of ["", "-", "0", "-0", "2.5", "31", "-31", "--5", "five"]) assert.equal(weightFrom(typed, 30), null, typed);
});
