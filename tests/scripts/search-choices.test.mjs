// What is found in a long list by typing.
import assert from "node:assert/strict";
import test from "node:test";
import { fits } from "../../static/src/site/search-choices.js";

const offered = "Arabic (Egypt) · العربية (مصر) · ar-EG";

test("by name, by the language's own name and by tag, whatever the case and the marks", () => {
  for (const typed of ["egypt", "ARABIC", "مصر", "العَربيّة", "ar-eg", "egy ara", ""]) assert.equal(fits(offered, typed), true, typed);
  assert.equal(fits("Portuguese (São Tomé)", "sao tome"), true);
  assert.equal(fits("أمهرية", "امهرية"), true);
  for (const typed of ["iraq", "arabic iraq", "ar-IQ"]) assert.equal(fits(offered, typed), false, typed);
});
