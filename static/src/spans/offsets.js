// Positions in a text. The server and every stored span count code points; the browser counts UTF-16 units. This
// module is the only place where the two meet. It also knows the units a mark may begin and end on: graphemes always,
// words by default.

// What belongs to a word beside what Unicode's rule (UAX 29) says, by language: signs between letters that make one word of
// two. "" holds for all.
const JOINS = { "": "-\u2010\u2011", he: "\u05be" };
// Signs of a number, directly before or after its digits.
const BEFORE_DIGITS = /(?<![^\s(\[{*_|"'\u2066-\u2069\u200e\u200f])[-+\u2212\u00b1]?\p{Sc}?$|\p{Sc}$/u;
const AFTER_DIGITS = /^(?:[%\u2030\u00b0]|\u066a|\p{Sc})/u;
const DIGITS = /^\p{Nd}/u;
const PICTURE = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u;

/** Largest index whose value is at most `value`, or -1; `values` ascends. */
export function lastAtMost(values, value, length = values.length) {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** UTF-16 positions of the second half of every surrogate pair. */
function pairPositions(text) {
  const positions = [];
  for (let i = 0; i + 1 < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(i + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      positions.push(i + 1);
      i += 1;
    }
  }
  return Int32Array.from(positions);
}

export class TextIndex {
  /**
   * @param {string} text never changed afterwards
   * @param {string} [language] BCP 47 tag, for word boundaries where a script has no spaces
   */
  constructor(text, language) {
    this.text = text;
    this.language = language;
    this.pairs = pairPositions(text);
    this.length = text.length;
    this.codePoints = text.length - this.pairs.length;
    this.hide([]);
  }

  /** Code points before a UTF-16 position; a position inside a surrogate pair counts as before the pair. */
  toCodePoint(utf16) {
    const position = Math.max(0, Math.min(utf16, this.length));
    return position - (lastAtMost(this.pairs, position) + 1);
  }

  /** UTF-16 position after so many code points. */
  toUtf16(codePoint) {
    const wanted = Math.max(0, Math.min(codePoint, this.codePoints));
    // pairs[k] - k is the code point just after the k-th pair begins; it ascends, so it can be searched.
    let low = 0;
    let high = this.pairs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.pairs[middle] - middle <= wanted) low = middle + 1;
      else high = middle;
    }
    return wanted + low;
  }

  /** The text between two code-point offsets. */
  slice(start, end) {
    return this.text.slice(this.toUtf16(start), this.toUtf16(end));
  }

  /** UTF-16 starts of all graphemes, and the length of the text as the last entry. */
  get graphemes() {
    if (!this._graphemes) {
      const segmenter = new Intl.Segmenter(this.language, { granularity: "grapheme" });
      const starts = [];
      for (const { index } of segmenter.segment(this.text)) starts.push(index);
      starts.push(this.length);
      this._graphemes = Int32Array.from(starts);
    }
    return this._graphemes;
  }

  isGraphemeBoundary(utf16) {
    return this.graphemes[lastAtMost(this.graphemes, utf16)] === utf16;
  }

  /** [start, end) of the grapheme at a UTF-16 position; the last one for the end of the text. */
  graphemeAt(utf16) {
    const last = this.graphemes.length - 2;
    if (last < 0) return [0, 0];
    const at = Math.max(0, Math.min(lastAtMost(this.graphemes, utf16), last));
    return [this.graphemes[at], this.graphemes[at + 1]];
  }

  /** The smallest range of whole graphemes around [start, end). */
  snapToGraphemes(start, end) {
    if (end <= start) return [start, start];
    return [this.graphemeAt(start)[0], this.graphemeAt(end - 1)[1]];
  }

  /** Words as two ascending arrays of UTF-16 starts and ends, both on grapheme boundaries. */
  get words() {
    if (!this._words) {
      const starts = [];
      const ends = [];
      for (const [start, end] of this.#wordRuns()) {
        const snapped = this.snapToGraphemes(start, end);
        // A mark written on a space pulls the space into the word; two words never share a grapheme.
        if (starts.length && snapped[0] < ends[ends.length - 1]) ends[ends.length - 1] = snapped[1];
        else {
          starts.push(snapped[0]);
          ends.push(snapped[1]);
        }
      }
      this._words = { starts: Int32Array.from(starts), ends: Int32Array.from(ends) };
    }
    return this._words;
  }

  /** Words as the language has them: without punctuation and without the signs of markdown. */
  *#wordRuns() {
    const joins = JOINS[""] + (JOINS[this.language?.split("-")[0]] ?? "");
    let last = null; // the word before, which may go on
    for (const [start, end] of this.#segments()) {
      const between = last && this.text.slice(last[1], start);
      if (last && between.length === 1 && joins.includes(between) && !DIGITS.test(this.text[start])) {
        last[1] = end;
        continue;
      }
      if (last) yield last;
      last = [start, end];
    }
    if (last) yield last;
  }

  *#segments() {
    const segmenter = new Intl.Segmenter(this.language, { granularity: "word" });
    let free = 0; // where the segment before ends
    for (const { index, segment, isWordLike } of segmenter.segment(this.text)) {
      if (!isWordLike && !PICTURE.test(segment)) continue;
      for (const [from, to] of this.#shownOf(index, index + segment.length)) {
        const bare = this.text.slice(from, to);
        let start = from + bare.length - bare.replace(/^_+/u, "").length;
        let end = to - (bare.length - bare.replace(/_+$/u, "").length);
        if (start >= end) continue;
        if (DIGITS.test(this.text.slice(start))) {
          const signs = BEFORE_DIGITS.exec(this.text.slice(Math.max(0, start - 3), start))?.[0].length ?? 0;
          start = Math.max(free, start - signs);
        }
        if (/\p{Nd}$/u.test(this.text.slice(start, end))) end += AFTER_DIGITS.exec(this.text.slice(end, end + 2))?.[0].length ?? 0;
        yield [start, end];
        free = end;
      }
    }
  }

  /** Leaves what is not seen out of all words. @param {[number, number][]} ranges in UTF-16, ascending */
  hide(ranges) {
    this.hidden = ranges;
    this.hiddenStarts = Int32Array.from(ranges, ([start]) => start);
    this._words = null;
  }

  *#shownOf(start, end) {
    let from = start;
    for (let at = Math.max(0, lastAtMost(this.hiddenStarts, start)); at < this.hidden.length && this.hidden[at][0] < end; at += 1) {
      if (this.hidden[at][1] <= from) continue;
      if (this.hidden[at][0] > from) yield [from, this.hidden[at][0]];
      from = this.hidden[at][1];
    }
    if (from < end) yield [from, end];
  }

  /** Whether anything of [start, end) is seen. */
  isShown(start, end) {
    return !this.#shownOf(start, end).next().done;
  }

  get wordCount() {
    return this.words.starts.length;
  }

  /** [start, end) of the word with this number. */
  word(number) {
    return [this.words.starts[number], this.words.ends[number]];
  }

  /** Number of the word at a UTF-16 position, else of the nearest one, else -1 in a text without words. */
  wordNumberAt(utf16) {
    if (!this.wordCount) return -1;
    const before = lastAtMost(this.words.starts, utf16);
    if (before < 0) return 0;
    if (utf16 < this.words.ends[before] || before + 1 === this.wordCount) return before;
    const toEnd = utf16 - this.words.ends[before];
    const toNext = this.words.starts[before + 1] - utf16;
    return toEnd < toNext ? before : before + 1;
  }

  /** The words touched by [start, end), or null where it touches none. */
  snapToWords(start, end) {
    if (end <= start) return null;
    const { starts, ends } = this.words;
    const last = lastAtMost(starts, end - 1);
    if (last < 0 || ends[last] <= start) return null;
    let first = lastAtMost(starts, start);
    if (first < 0 || ends[first] <= start) first += 1;
    return [starts[first], ends[last]];
  }
}
