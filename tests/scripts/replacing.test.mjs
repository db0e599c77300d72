// What was built takes the place of what was there, without a moment in which a file is missing.
import assert from "node:assert/strict";
import { access, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { putInPlace } from "../../static/replacing.mjs";

async function folders(context) {
  const root = await mkdtemp(join(tmpdir(), "replacing-"));
  context.after(() => rm(root, { recursive: true, force: true }));
  const [built, place] = [join(root, "built"), join(root, "place")];
  for (const folder of [built, place]) await mkdir(join(folder, "fonts"), { recursive: true });
  return [built, place];
}

test("new files stand in the place of the old, and what is built no longer is gone", async (context) => {
  const [built, place] = await folders(context);
  for (const [folder, file, text] of [
    [place, "app.js", "old"], [place, "gone.js", "old"], [place, "fonts/a.woff2", "old"],
    [built, "app.js", "new"], [built, "more.css", "new"], [built, "fonts/a.woff2", "new"],
  ]) await writeFile(join(folder, file), text);
  await putInPlace(built, place);
  assert.deepEqual((await readdir(place, { recursive: true })).sort(), ["app.js", "fonts", "fonts/a.woff2", "more.css"]);
  for (const file of ["app.js", "more.css", "fonts/a.woff2"]) assert.equal(await readFile(join(place, file), "utf8"), "new");
});

test("no file is missing meanwhile", async (context) => {
  const [built, place] = await folders(context);
  const files = Array.from({ length: 200 }, (_, n) => `${n}.js`);
  for (const file of files) for (const folder of [built, place]) await writeFile(join(folder, file), folder);
  let isDone = false;
  const placing = putInPlace(built, place).then(() => (isDone = true));
  let looks = 0;
  do {
    await Promise.all(files.map((file) => access(join(place, file))));
    looks += 1;
  } while (!isDone);
  await placing;
  assert.ok(looks > 0);
});

test("a place that is not there yet is made", async (context) => {
  const [built, place] = await folders(context);
  await rm(place, { recursive: true });
  await writeFile(join(built, "app.js"), "new");
  await putInPlace(built, place);
  assert.equal(await readFile(join(place, "app.js"), "utf8"), "new");
});
