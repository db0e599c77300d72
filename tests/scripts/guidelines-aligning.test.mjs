// Where the section of one text stands in the other.
import assert from "node:assert/strict";
import test from "node:test";
import { headingsOf, placeBeside } from "../../static/src/guidelines/aligning.js";

test("headings are found by their places, none of them in code", () => {
  const text = "Before\n# One\ntext\n```\n# not\n```\n## Two\n#no\n";
  assert.deepEqual(headingsOf(text), [text.indexOf("# One"), text.indexOf("## Two")]);
  assert.deepEqual(headingsOf(""), []);
  assert.deepEqual(headingsOf("~~~\n# in\n```\n# in\n~~~\n# out"), [22]);
});

test("the same share of the same section", () => {
  assert.equal(placeBeside(50, [0, 100, 200], [0, 300, 400]), 150);
  assert.equal(placeBeside(100, [0, 100, 200], [0, 300, 400]), 300);
  assert.equal(placeBeside(150, [0, 100, 200], [0, 300, 400]), 350);
  assert.equal(placeBeside(0, [0, 100, 200], [0, 300, 400]), 0);
});

test("behind the headings that both have, the rest is one section", () => {
  assert.equal(placeBeside(150, [0, 100, 200, 300], [0, 50, 100]), 62.5);
  assert.equal(placeBeside(10, [0, 100], [0, 0]), 0);
  assert.equal(placeBeside(500, [0, 100], [0, 40]), 40);
});
