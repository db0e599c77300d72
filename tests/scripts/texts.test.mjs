// What the build finds of the texts that a script shows.
import assert from "node:assert/strict";
import test from "node:test";
import { textsIn } from "../../static/texts.mjs";

test("the first argument of gettext and ngettext, over lines and with quotes in it", () => {
  const source = `
    announce(gettext("Undone"));
    interpolate(ngettext(
      "One \\"mark\\"", "%(n)s marks", n), { n });
    const notOurs = mygettext("no");`;
  assert.deepEqual(textsIn(source), ["Undone", 'One "mark"']);
});
