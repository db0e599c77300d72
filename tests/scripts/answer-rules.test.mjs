// The rules of answers, held to the cases that the server's are held to.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { holding } from "../../static/src/questionnaires/rules.js";
import { SpanDocument } from "../../static/src/spans/document.js";
import { alwaysNeeds, brokenByAll, brokenByMark } from "../../static/src/spans/rules.js";

const CASES = JSON.parse(readFileSync(new URL("../annotation/answer_rules.json", import.meta.url)));

for (const { name, rules: all, marks, answers = {}, broken } of CASES) {
  test(name, () => {
    const rules = holding(all, answers);
    const found = [...marks.flatMap((mark) => brokenByMark(rules, mark)), ...brokenByAll(rules, marks)];
    assert.deepEqual(found.map(({ span, field, code, warns }) => [span, field, code, warns]), broken);
  });
}

test("what blocks is a problem of the document, what warns is none", () => {
  const rules = [{ needs: "correction", message: "Correct it." }, { most: 0, warns: true, message: "None was expected." }];
  const document = new SpanDocument({ spans: [{ id: "a", anchor: "response" }] }, { asks: {}, rules });
  assert.deepEqual(document.problems().map(({ span, field, message }) => [span, field, message]), [["a", "correction", "Correct it."]]);
  assert.deepEqual(document.warnings().map(({ span, message }) => [span, message]), [[null, "None was expected."]]);
});

test("a field is required where each mark needs it, whatever it is", () => {
  assert.equal(alwaysNeeds([{ needs: "explanation" }], "explanation"), true);
  assert.equal(alwaysNeeds([{ needs: "explanation", warns: true }], "explanation"), false);
  assert.equal(alwaysNeeds([{ needs: "explanation", criticality: ["high"] }], "explanation"), false);
});
