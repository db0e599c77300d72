// A text as finding compares it, and from there back to the very place in the text. Pure.
import { lastAtMost } from "../spans/offsets.js";
import { CLINGING, RULES, ZEROS } from "./rules.js";

const ACCENTS = /(\p{Script=Latin})[\u0300-\u036f]+/gu;
const compiled = new Map();

/** Whether a language has letters that are the same on request. */
export function hasSimilar(language) {
  return Object.keys(rulesOf(language).similar).length > 0;
}

function rulesOf(language) {
  return RULES[language?.toLowerCase().split("-")[0]] ?? RULES[""];
}

const escaped = (letters) => letters.replace(/[\\^$.*+?()[\]{}|-]/g, "\\$&");

/** @returns {(grapheme: string) => string} a grapheme as it is compared, remembered; "" for what is passed over */
function folderOf(language, isLoose) {
  const key = `${language?.toLowerCase().split("-")[0] ?? ""} ${isLoose}`;
  if (compiled.has(key)) return compiled.get(key);
  const own = rulesOf(language);
  const same = { ...RULES[""].same, ...own.same, ...(isLoose ? own.similar : {}) };
  const changed = new RegExp(Object.keys(same).sort((a, b) => b.length - a.length).map(escaped).join("|"), "gu");
  const dropped = new RegExp(`[${RULES[""].drop}${own.drop}]`, "gu");
  const known = new Map();
  const fold = (grapheme) => {
    let folded = known.get(grapheme);
    if (folded === undefined) {
      folded = grapheme.normalize("NFKD").replace(changed, (letters) => same[letters]).replace(dropped, "").replace(ACCENTS, "$1");
      // Up and down again, so that ß is ss and every sigma is one.
      folded = folded.replace(/\p{Nd}/gu, digit).toUpperCase().toLowerCase().normalize("NFC");
      if (/^\s+$/u.test(folded)) folded = " ";
      known.set(grapheme, folded);
    }
    return folded;
  };
  compiled.set(key, fold);
  return fold;
}

function digit(character) {
  const code = character.codePointAt(0);
  const zero = ZEROS[lastAtMost(ZEROS, code)];
  return code - zero < 10 ? String(code - zero) : character;
}

/** A text in the form that is compared: `folded`, and for each unit of it the grapheme of the text that it comes from. */
export class FoldedText {
  /** @param {string} text @param {string} [language] BCP 47 tag @param {boolean} [isLoose] similar letters are the same */
  constructor(text, language, isLoose = false) {
    const fold = folderOf(language, isLoose);
    const pieces = [];
    const starts = [];
    const ends = [];
    for (const { index, segment } of new Intl.Segmenter(language || undefined, { granularity: "grapheme" }).segment(text)) {
      const piece = fold(segment);
      pieces.push(piece);
      for (let unit = 0; unit < piece.length; unit += 1) {
        starts.push(index);
        ends.push(index + segment.length);
      }
    }
    this.folded = pieces.join("");
    this.starts = Int32Array.from(starts);
    this.ends = Int32Array.from(ends);
  }

  /**
   * Where a query stands, in order: UTF-16 [start, end), each the smallest range of whole graphemes around it, none
   * overlapping the one before. None for a query of which nothing is compared.
   * @param {string} query folded alike
   * @returns {[number, number][]}
   */
  places(query) {
    if (!query.trim()) return [];
    const found = [];
    let free = 0;
    for (let at = this.folded.indexOf(query); at >= 0;) {
      const start = this.starts[at];
      const end = this.ends[at + query.length - 1];
      const isFree = start >= free && !CLINGING.includes(this.folded[at + query.length] ?? " ");
      if (isFree) {
        found.push([start, end]);
        free = end;
      }
      at = this.folded.indexOf(query, isFree ? at + query.length : at + 1);
    }
    return found;
  }
}

/** What is looked for, as it is compared in texts of a language. */
export function foldedQuery(query, language, isLoose = false) {
  return new FoldedText(query, language, isLoose).folded;
}
