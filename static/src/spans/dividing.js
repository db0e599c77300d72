// The places of an error that lies in several: words come to it, words leave it, one of its parts grows. What the parts of
// a mark are is pure (parts.js); this is their way between the text, which counts UTF-16, and the marks.
import { gettext, interpolate } from "../site/text.js";
import { announce } from "../task_kit/announce.js";
import { MOST_PARTS, joined, partAt, partsOf } from "./parts.js";

export class Dividing {
  /** @param {import("./editor.js").Editor} editor */
  constructor(editor) {
    this.editor = editor;
  }

  /** Where a mark lies, part by part, as UTF-16 [start, end]; nowhere where it is on no words. */
  ranges(span) {
    const { index } = this.editor.view;
    return partsOf(span).map(({ start, end }) => [index.toUtf16(start), index.toUtf16(end)]);
  }

  /** What a mark at all of these places stores of its words. UTF-16 [start, end] each. */
  joined(ranges) {
    const { index } = this.editor.view;
    const places = ranges.map(([start, end]) => ({ start: index.toCodePoint(start), end: index.toCodePoint(end) }));
    return joined(places, (start, end) => index.slice(start, end));
  }

  /** Number of the part that the caret stands in, else of the first. */
  current(ranges) {
    return partAt(ranges.map(([start, end]) => ({ start, end })), ...(this.editor.caret.unit ?? ranges[0]));
  }

  /** These words too. What touches a part of the mark becomes one with it. UTF-16 [start, end]. */
  add(id, range) {
    const { caret, document, form } = this.editor;
    const ranges = this.ranges(document.get(id));
    if (!ranges.length) return;
    const words = this.joined([...ranges, range]);
    if (words.more.length >= MOST_PARTS) {
      announce(gettext("This error has as many parts as it can."));
      form.say(gettext("This error has as many parts as it can."));
      return;
    }
    this.editor.moveTo(id, words);
    caret.remember(range[0]); // growing and shrinking go on with this part
  }

  remove(id, number) {
    const { caret, document, form, locked, task, view } = this.editor;
    const ranges = this.ranges(document.get(id));
    if (task.read_only || locked || ranges.length < 2) return;
    const [gone] = ranges.splice(number, 1);
    this.editor.moveTo(id, this.joined(ranges));
    caret.remember(ranges[0][0]);
    form.focus();
    announce(interpolate(gettext("Deleted: %(name)s. Undo brings it back."), { name: view.index.text.slice(...gone) }));
  }
}
