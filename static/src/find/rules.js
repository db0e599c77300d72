// What finding takes for the same letter, as data: for all languages under "", and what a language adds. `drop` is the
// inside of a character class of what is passed over; `same` writes one letter as another; `similar` are pairs that are
// different letters, which many people write for one another: they are the same only where the person asks for it.
// Before any rule a text is decomposed (NFKD: full and half width, ligatures, presentation forms), after it put together again.
const HARAKAT = "\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e8\\u06ea-\\u06ed";
const NUKTA = { "\u093c": "", "\u09bc": "" };

// Hamza on and under its carrier and madda above are among the marks that are passed over once letters are decomposed.
const ARABIC = {
  drop: HARAKAT,
  same: { "\u0671": "\u0627", "\u06cc": "\u064a", "\u06a9": "\u0643", "\u06c1": "\u0647", "\u06be": "\u0647" },
  similar: { "\u0629": "\u0647", "\u0649": "\u064a" },
};

export const RULES = {
  "": {
    // Soft hyphens, joiners, signs of direction, selectors of variants: nobody sees them.
    drop: "\\u00ad\\u034f\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u2069\\ufe00-\\ufe0f\\ufeff",
    same: { "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2010": "-", "\u2011": "-", "\u2013": "-", "\u2212": "-" },
    similar: {},
  },
  ar: ARABIC,
  fa: ARABIC,
  ur: ARABIC,
  ckb: ARABIC,
  he: { drop: "\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7", same: { "\u05be": "-" }, similar: {} },
  // Of khanda ta the older spelling, which is ta, hasanta and a joiner, is the same letter.
  bn: { drop: "", same: { "\u09a4\u09cd\u200d": "\u09ce" }, similar: NUKTA },
  as: { drop: "", same: { "\u09a4\u09cd\u200d": "\u09ce" }, similar: NUKTA },
  hi: { drop: "", same: {}, similar: NUKTA },
  mr: { drop: "", same: {}, similar: NUKTA },
};

/** What makes another letter of the one before it: য is not found in য়, though that is never one character once composed. */
export const CLINGING = "\u093c\u09bc\u0a3c\u0abc\u0b3c";

/** Where the digits of a script begin; a digit is found in whatever script it is written. */
export const ZEROS = [0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040, 0x17e0];
