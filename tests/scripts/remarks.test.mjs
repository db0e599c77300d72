// Bookmark, unsure and note go along with the draft until the server has them, and no conflict costs one.
import assert from "node:assert/strict";
import test from "node:test";
import { DraftWithRemarks, Remarks, withoutRemarks } from "../../static/src/task_kit/remarks.js";

const fresh = (more = {}) => new Remarks({ bookmarked: false, unsure: false, note: "", is_shared: false, ...more });
const stored = (more = {}) => ({ bookmarked: false, unsure: false, note: "", ...more });

test("only what changed is told, and until the server has it", () => {
  const remarks = fresh({ bookmarked: true });
  assert.equal(remarks.told, null);
  remarks.set("unsure", true);
  assert.deepEqual(remarks.told, { unsure: true });
  remarks.settle({ unsure: true }, stored({ unsure: true }));
  assert.equal(remarks.told, null);
});

test("what changed while a save was under way waits for the next", () => {
  const remarks = fresh();
  remarks.set("unsure", true);
  const sent = remarks.told;
  remarks.set("unsure", false);
  remarks.set("bookmarked", true);
  remarks.settle(sent, stored({ unsure: true }));
  assert.deepEqual(remarks.told, { bookmarked: true, unsure: false });
});

test("a save that told nothing settles nothing", () => {
  const remarks = fresh();
  remarks.set("bookmarked", true);
  remarks.settle(undefined, undefined);
  remarks.settle({ bookmarked: true }, undefined);
  assert.deepEqual(remarks.told, { bookmarked: true });
});

test("a note names the words that it was written over", () => {
  const remarks = fresh({ note: "old", is_shared: true });
  remarks.set("note", "new");
  assert.deepEqual(remarks.told, { note: "new", note_before: "old", note_is_shared: true });
  remarks.settle(remarks.told, stored({ note: "new" }));
  remarks.set("note", "newer");
  assert.equal(remarks.told.note_before, "new");
});

test("another tab's note stands above mine, and what I type on goes on from there", () => {
  const remarks = fresh();
  remarks.set("note", "mine");
  let sent = remarks.told;
  remarks.settle(sent, stored({ note: "theirs\n\nmine" }));
  assert.deepEqual([remarks.note, remarks.told], ["theirs\n\nmine", null]);
  remarks.set("note", "theirs\n\nmine, more");
  sent = remarks.told;
  assert.equal(sent.note_before, "theirs\n\nmine");
  remarks.set("note", "theirs\n\nmine, more and more");
  remarks.settle(sent, stored({ note: "theirs\n\nmine, more" }));
  assert.equal(remarks.note, "theirs\n\nmine, more and more");
  assert.deepEqual(remarks.told, { note: "theirs\n\nmine, more and more", note_before: "theirs\n\nmine, more", note_is_shared: false });
});

test("blank space at the end of a note is typing under way, not another's words", () => {
  const remarks = fresh();
  remarks.set("note", "mine ");
  remarks.settle(remarks.told, stored({ note: "mine" }));
  assert.deepEqual([remarks.note, remarks.told], ["mine ", null]);
});

class Draft extends EventTarget {
  body = { text: "" };
  serialise() { return this.body; }
  replace(body) { this.body = body; this.dispatchEvent(new CustomEvent("state")); }
}

test("a body that an earlier visit left brings its remarks along, and the draft never sees them", () => {
  const draft = new Draft();
  const both = new DraftWithRemarks(draft, fresh());
  let changes = 0;
  both.addEventListener("state", () => { changes += 1; });
  both.replace({ text: "a", remarks: { unsure: true, note: "n", note_before: "b" } });
  assert.deepEqual(draft.body, { text: "a" });
  assert.deepEqual(both.serialise(), { text: "a", remarks: { unsure: true, note: "n", note_before: "b", note_is_shared: false } });
  assert.equal(changes, 2);
  assert.equal(both.waits, true);
  both.replace({ text: "theirs" });
  assert.equal(both.waits, true, "the server's draft takes no remark back");
  assert.deepEqual(withoutRemarks(both.serialise()), { text: "theirs" });
});
