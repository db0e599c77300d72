// A check that the server told of while the model was asked goes when it is taken back; what was said of a model stays.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Checks, sha256 } from "../../static/src/authoring/checks.js";

const PROMPT = "يعني إيه المثل ده؟";

async function checksOf(...outcomes) {
  const hash = await sha256(PROMPT);
  const checks = new Checks([], PROMPT);
  await checks.follow("");
  await checks.follow(PROMPT);
  outcomes.forEach((outcome, id) => checks.put({ id, prompt_sha256: hash, model: "Nile-7B", by_hand: false, outcome, asked_at: "" }));
  return checks;
}

test("a check that was taken back is no check of the prompt any more", async () => {
  const checks = await checksOf("");
  let said = 0;
  checks.addEventListener("state", () => { said += 1; });
  assert.equal(checks.current.id, 0);
  checks.withdraw(PROMPT);
  assert.equal(checks.current, null);
  checks.withdraw(PROMPT);
  assert.equal(said, 1);
});

test("what was said of a model stays, and so does what the server says of another text", async () => {
  const checks = await checksOf("partial", "");
  checks.withdraw("Another text");
  assert.equal(checks.current.id, 1);
  checks.withdraw(PROMPT);
  assert.equal(checks.current.outcome, "partial");
});
