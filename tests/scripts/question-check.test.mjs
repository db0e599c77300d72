// What a checker has filled in survives whatever happens around it.
import assert from "node:assert/strict";
import test from "node:test";

import { CheckDocument, combine, plainDraft, sameDraft } from "../../static/src/question_check/document.js";

const OLD = { instruction: "Name the capital.", input: "", reference: "Amman" };

test("a repair begins with the old words, which one undo takes away again", () => {
  const document = new CheckDocument({}, { now: () => 0 });
  document.decide("repair", OLD);
  assert.deepEqual({ ...document.serialise(), ...OLD, decision: "repair" }, document.serialise());
  document.undo();
  assert.ok(sameDraft(document.serialise(), {}));
});

test("words that were written already are not written over", () => {
  const document = new CheckDocument({ reference: "Irbid" }, { now: () => 0 });
  document.decide("repair", OLD);
  assert.equal(document.serialise().reference, "Irbid");
  assert.equal(document.serialise().instruction, "");
});

test("of two versions mine counts where I filled it in, and a no is an answer", () => {
  const both = combine({ answer: "mine", is_aligned: false }, { answer: "theirs", is_aligned: true, note: "kept" });
  assert.deepEqual(both, plainDraft({ answer: "mine", is_aligned: false, note: "kept" }));
});
