// Which of Bootstrap's rules the pages get must not depend on what was run in the folder before.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { withoutUnreferenced, withoutUnused, wordsIn } from "../../static/unused.mjs";

test("classes are looked for in what is written by hand, and not in what is collected or built", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mizan-words-"));
  try {
    for (const [place, word] of [["templates", "card"], ["staticfiles", "badge"], ["static/dist", "breadcrumb"]]) {
      await mkdir(join(folder, place), { recursive: true });
      await writeFile(join(folder, place, "page.html"), `<p class="${word}">`);
    }
    const words = await wordsIn(folder);
    const rules = ".card{color:red} .badge{color:red} .breadcrumb{color:red}";
    assert.equal(withoutUnused(rules, words), ".card{color:red}");
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a property that nothing asks for is left out, and what only that one asked for", () => {
  const rules = ":root{--bs-a:1;--bs-b:var(--bs-a);--bs-c:2;--bs-d:3;--bs-e:url(x)}.card{color:var( --bs-c);--own:4;--bs-f:5}";
  const left = withoutUnreferenced(rules, ["p{margin:var(--bs-d, 0)}"], new Set(["bs-e"]));
  assert.equal(left, ":root{--bs-c:2;--bs-d:3;--bs-e:url(x)}.card{color:var( --bs-c);--own:4;}");
});
