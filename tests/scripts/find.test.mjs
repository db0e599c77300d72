// What finding takes for the same, language by language; and that whatever stands in a text is found where it stands.
import assert from "node:assert/strict";
import { test } from "node:test";

import { forSeeds } from "./chance.mjs";
import { FoldedText, foldedQuery, hasSimilar } from "../../static/src/find/folding.js";
import { RULES } from "../../static/src/find/rules.js";
import { SeenText, codePoints } from "../../static/src/find/seen.js";
import { TextIndex } from "../../static/src/spans/offsets.js";

const places = (text, query, language, isLoose = false) => new FoldedText(text, language, isLoose).places(foldedQuery(query, language, isLoose));
const found = (text, query, language, isLoose) => places(text, query, language, isLoose).map(([start, end]) => text.slice(start, end));

test("Arabic: hamza, madda and wasla on alef, vowels, tatweel, presentation forms, letters of other keyboards", () => {
  assert.deepEqual(found("أحمد وإحمد وآحمد وٱحمد", "احمد", "ar-EG"), ["أحمد", "إحمد", "آحمد", "ٱحمد"]);
  assert.deepEqual(found("مُحَمَّدٌ ومحمـــد", "محمد", "ar"), ["مُحَمَّدٌ", "محمـــد"]);
  assert.deepEqual(found("محمد", "مُحَمَّد", "ar"), ["محمد"], "vowels typed, none written");
  assert.deepEqual(found("سؤال وبيئة", "سوال", "ar"), ["سؤال"]);
  assert.deepEqual(found("ﻻ بأس", "لا", "ar"), ["ﻻ"]);
  assert.deepEqual(found("علي و علی و كتاب و کتاب", "علي", "ar"), ["علي", "علی"]);
  assert.deepEqual(found("کتاب", "كتاب", "fa"), ["کتاب"]);
});

test("Arabic: ta marbuta and alef maqsura only where similar letters are asked for", () => {
  assert.deepEqual(found("مدرسة مدرسه", "مدرسه", "ar"), ["مدرسه"]);
  assert.deepEqual(found("مدرسة مدرسه", "مدرسه", "ar", true), ["مدرسة", "مدرسه"]);
  assert.deepEqual(found("مبنى مبني", "مبني", "ar-EG", true), ["مبنى", "مبني"]);
  assert.ok(hasSimilar("ar-MA") && hasSimilar("bn-BD") && !hasSimilar("en-US") && !hasSimilar("ko"));
});

test("Bengali: both spellings of letters with nukta and of vowels in two parts; without nukta on request", () => {
  const joined = "\u09df"; // য় in one code point
  const split = "\u09af\u09bc";
  assert.deepEqual(found(`সম${joined} সম${split}`, `সম${joined}`, "bn"), [`সম${joined}`, `সম${split}`]);
  assert.deepEqual(found("কো ক\u09c7\u09be", "ক\u09cb", "bn-BD"), ["কো", "ক\u09c7\u09be"]);
  assert.deepEqual(found(`সম${joined} সময`, "সময", "bn"), ["সময"]);
  assert.deepEqual(found(`সম${joined} সময`, "সময", "bn", true), [`সম${joined}`, "সময"]);
  assert.deepEqual(found("উৎসব উত্\u200dসব", "উৎসব", "bn"), ["উৎসব", "উত্\u200dসব"]);
  assert.deepEqual(found("পান্তা ইলিশ", "প", "bn"), ["পা"], "a consonant is found with what is written on it");
});

test("width, case, accents, digits of every script, quotation marks, signs that nobody sees", () => {
  assert.deepEqual(found("ＴＥＡ tea Tea", "tea", "en"), ["ＴＥＡ", "tea", "Tea"]);
  assert.deepEqual(found("ｶﾞｽ ガス", "ガス", "ja"), ["ｶﾞｽ", "ガス"]);
  assert.deepEqual(found("Straße STRASSE", "strasse", "de"), ["Straße", "STRASSE"]);
  assert.deepEqual(found("café cafe\u0301", "CAFE", "fr"), ["café", "cafe\u0301"]);
  assert.deepEqual(found("ΟΔΟΣ οδος", "οδος", "el"), ["ΟΔΟΣ", "οδος"]);
  assert.deepEqual(found("١٢٣ 123 ১২৩", "123", "bn"), ["١٢٣", "123", "১২৩"]);
  assert.deepEqual(found("it’s so\u00adft a\u00a0b", "it's soft a b", "en"), ["it’s so\u00adft a\u00a0b"]);
});

test("Korean: a syllable is itself, however it is written, and not the beginning of another", () => {
  assert.deepEqual(found("각 가 \u1100\u1161", "가", "ko"), ["가", "\u1100\u1161"]);
});

test("accents of other scripts stay: й is not и", () => assert.deepEqual(found("мой мои", "мои", "ru"), ["мои"]));

test("nothing to look for is found nowhere", () => {
  for (const query of ["", "  ", "\u200b", "ـ"]) assert.deepEqual(places("ab ـ \u200b c", query, "ar"), []);
});

const PIECES = ["a", "B", "ß", " ", "\u00a0", "\n", "\r\n", "e\u0301", "👩‍👧", "👩", "🇪🇬", "ক্ষি", "\u09df", "য\u09bc", "ো", "ক\u09c7\u09be", "가", "\u1100\u1161",
  "أ", "ا", "ـ", "مُ", "م", "ة", "ﻻ", "ى", "\u200f", "\u200d", "ﷺ", "１", "١", "𝒜", "**", "İ", "ς", "\ud83d", "'", "ｶﾞ", "त्", "क़"];

test("any run of characters is found where it stands, exactly, on the boundaries of graphemes", () => forSeeds(600, (chance) => {
  const text = Array.from({ length: 1 + chance.below(40) }, () => chance.of(PIECES)).join("");
  const language = chance.of(["en", "ar-EG", "bn", "ko", "fa", "he", "hi", undefined]);
  const isLoose = chance.below(2) === 1;
  const { graphemes } = new TextIndex(text, language);
  const isSeen = (number) => foldedQuery(text.slice(graphemes[number], graphemes[number + 1]), language, isLoose) !== "";
  let first = chance.below(graphemes.length - 1);
  let last = first + chance.below(Math.min(8, graphemes.length - 1 - first));
  const [start, end] = [graphemes[first], graphemes[last + 1]];
  // What nobody sees at an edge is no part of what is found.
  while (first < last && !isSeen(first)) first += 1;
  while (last > first && !isSeen(last)) last -= 1;
  const [from, to] = [graphemes[first], graphemes[last + 1]];
  const query = text.slice(start, end);
  if (!foldedQuery(query, language, isLoose).trim()) return;
  const all = places(text, query, language, isLoose);
  const isThere = all.some((place) => place[0] === from && place[1] === to);
  const isTaken = all.some((place) => place[0] < from && place[1] > from);
  assert.ok(isThere || isTaken, JSON.stringify({ text, query, from, to, all }));
  let free = 0;
  for (const [begin, finish] of all) {
    assert.ok(begin >= free && finish > begin && graphemes.includes(begin) && graphemes.includes(finish));
    assert.ok(foldedQuery(text.slice(begin, finish), language, isLoose).includes(foldedQuery(query, language, isLoose)));
    free = finish;
  }
}));

test("48,000 characters are folded once and searched for each letter typed", () => {
  const text = "الكُشَريّ أكلةٌ مصريةٌ 👩‍👧 شعبية\n".repeat(1450);
  const began = process.cpuUsage();
  const folded = new FoldedText(text, "ar", true);
  const once = process.cpuUsage(began).user;
  const then = process.cpuUsage();
  for (const query of ["ا", "اك", "اكل", "اكله"]) assert.equal(folded.places(foldedQuery(query, "ar", true)).length >= 1450, true);
  assert.ok(process.cpuUsage(then).user < 4 * once + 200_000, "searching costs no more than folding");
});

test("what is found across hidden signs is the range of the source with the signs between", () => {
  // **أكلة 👩** مصرية, rendered: the signs are hidden.
  const source = "- **أكلة 👩** مصرية\nسطر";
  const seen = new SeenText([
    { text: "أكلة 👩", source: 4, isNewLine: true }, { text: " مصرية", source: 12 }, { text: "سطر", source: 19, isNewLine: true },
  ]);
  const points = [...source];
  const at = (query) => seen.source(...new FoldedText(seen.text, "ar", true).places(foldedQuery(query, "ar", true))[0]);
  assert.equal(points.slice(...at("اكله 👩 مصريه")).join(""), "أكلة 👩** مصرية");
  assert.equal(points.slice(...at("سطر")).join(""), "سطر");
  assert.equal(points.slice(...at("👩")).join(""), "👩");
  assert.deepEqual(new FoldedText(seen.text, "ar").places(foldedQuery("مصريةسطر", "ar")), [], "no word goes over from one line to the next");
});

test("pieces cut anywhere lead back to the same code points", () => forSeeds(200, (chance) => {
  const letters = Array.from({ length: 1 + chance.below(30) }, () => chance.of(["a", "👩", "م", "\u064f", " "]));
  const pieces = [];
  for (let at = 0; at < letters.length;) {
    const next = Math.min(letters.length, at + 1 + chance.below(5));
    pieces.push({ text: letters.slice(at, next).join(""), source: at });
    at = next;
  }
  const seen = new SeenText(pieces);
  assert.equal(seen.text, letters.join(""));
  const from = chance.below(letters.length);
  const to = from + 1 + chance.below(letters.length - from);
  const units = (count) => letters.slice(0, count).join("").length;
  assert.deepEqual(seen.source(units(from), units(to)), [from, to]);
  assert.equal(seen.parts(units(from), units(to)).map(([number, begin, end]) => pieces[number].text.slice(begin, end)).join(""), letters.slice(from, to).join(""));
  assert.equal(codePoints(seen.text), letters.length);
}));

test("every language's rules say all three things", () => {
  for (const rules of Object.values(RULES)) assert.deepEqual(Object.keys(rules), ["drop", "same", "similar"]);
});
