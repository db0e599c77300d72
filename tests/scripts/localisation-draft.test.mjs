// What a model drafted is put aside in one step, said so in what is handed in, and comes back with undo.
import assert from "node:assert/strict";
import { test } from "node:test";

import { LocalisationDocument, combine, plainDraft, sameDraft } from "../../static/src/localising/document.js";

const DRAFTED = { text: "اتفضل [locale_country]", values: { locale_country: "مصر" } };

test("a draft is put aside and brought back", () => {
  const document = new LocalisationDocument(DRAFTED);
  document.reject();
  assert.deepEqual(document.serialise(), { text: "", values: {}, rejected: true });
  document.write("من جديد", { typing: false });
  assert.deepEqual(document.serialise(), { text: "من جديد", values: {}, rejected: true });
  document.undo();
  document.undo();
  assert.deepEqual(document.serialise(), DRAFTED);
});

test("putting aside twice is one step", () => {
  const document = new LocalisationDocument(DRAFTED);
  document.reject();
  document.reject();
  document.undo();
  assert.deepEqual(document.serialise(), DRAFTED);
});

test("what was not put aside says nothing of it, and two versions of which one was keep that", () => {
  assert.equal("rejected" in plainDraft(DRAFTED), false);
  assert.equal(sameDraft(DRAFTED, { ...DRAFTED, rejected: true }), false);
  assert.equal(combine({ ...DRAFTED, rejected: true }, DRAFTED).rejected, true);
});
