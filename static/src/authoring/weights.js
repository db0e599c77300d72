// Weights as people write them: whole numbers in the digits of their own script, inside the band they chose.

// Where the decimal digits of a script begin: Arabic, Persian and Urdu, Devanagari, Bengali, full width.
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0xff10];

export const HEAVIEST = 100;

/**
 * @returns {?number} the whole number up to HEAVIEST that a text says, in any of these digits: above 0, or with a minus
 *   before it what an error takes away; null where it says none
 */
export function readWeight(text) {
  const latin = Array.from(text.trim(), (character) => {
    const code = character.codePointAt(0);
    const zero = ZEROS.find((first) => code >= first && code < first + 10);
    return zero === undefined ? character : String(code - zero);
  }).join("");
  // A minus as it is typed in a script written from the right brings marks of direction along.
  const [, minus, points] = /^([-−]?)(\d{1,4})$/.exec(latin.replace(/[\u200e\u200f\u061c]/g, "")) ?? [null, "", "0"];
  const weight = Number(points);
  if (!(weight > 0 && weight <= HEAVIEST)) return null;
  return minus ? -weight : weight;
}

/** @returns {boolean} whether a weight, or what an error costs, lies outside its band; false while one is not chosen */
export function isOutside(weight, band) {
  return Boolean(band && weight !== null && (Math.abs(weight) < band.lowest || Math.abs(weight) > band.highest));
}
