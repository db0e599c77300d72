// Weights as people write them: whole numbers in the digits of their own script, inside the band they chose.

// Where the decimal digits of a script begin: Arabic, Persian and Urdu, Devanagari, Bengali, full width.
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0xff10];

export const HEAVIEST = 100;

/** @returns {?number} the whole number from 1 to HEAVIEST that a text says, in any of these digits; null where it says none */
export function readWeight(text) {
  const latin = Array.from(text.trim(), (character) => {
    const code = character.codePointAt(0);
    const zero = ZEROS.find((first) => code >= first && code < first + 10);
    return zero === undefined ? character : String(code - zero);
  }).join("");
  const weight = /^\d{1,4}$/.test(latin) ? Number(latin) : 0;
  return weight > 0 && weight <= HEAVIEST ? weight : null;
}

/** @returns {boolean} whether a weight lies outside its band; false while one of them is not chosen */
export function isOutside(weight, band) {
  return Boolean(band && weight !== null && (weight < band.lowest || weight > band.highest));
}
