// What the verdicts add up to, by the formula of agreement/rubrics.py, and where they contradict one another.
import { gettext, interpolate } from "../site/text.js";

const GIVEN = ["pass", "present"];
// From this share of the maximum on, penalties beside a full set of passes are asked about.
const HEAVY = 0.5;

/** @returns {{raw: number, maximum: number, percent: ?number, lost: number}} points; percent is null with nothing to earn */
export function score(criteria, draft) {
  let raw = 0;
  let maximum = 0;
  let lost = 0;
  for (const { key, weight } of criteria) {
    if (weight > 0) maximum += weight;
    if (!GIVEN.includes(draft.verdicts[key])) continue;
    raw += weight;
    if (weight < 0) lost -= weight;
  }
  for (const { weight } of draft.negatives) {
    raw += weight ?? 0;
    lost -= weight ?? 0;
  }
  return { raw, maximum, percent: maximum ? (100 * raw) / maximum : null, lost };
}

/** A number with a minus sign that every language writes on the same side. */
export function signed(value, digits = 0) {
  const rounded = Number(value.toFixed(digits));
  const text = new Intl.NumberFormat(document.documentElement.lang || undefined, {
    numberingSystem: "latn", minimumFractionDigits: digits, maximumFractionDigits: digits,
  }).format(Math.abs(rounded));
  return rounded < 0 ? `−${text}` : text;
}

/** What looks like a slip once all is decided; it does not stop anybody. */
export function warnings(criteria, draft) {
  if (criteria.some(({ key }) => !draft.verdicts[key])) return [];
  const { maximum, lost } = score(criteria, draft);
  const failed = criteria.filter(({ key }) => draft.verdicts[key] === "fail").length;
  if (failed && !lost && !draft.negatives.length) {
    return [gettext("Criteria fail, yet no error is named. If nothing in the response is wrong, submit it as it is.")];
  }
  if (!failed && lost >= HEAVY * maximum) {
    return [interpolate(gettext("Every criterion passes, yet errors take away %(lost)s of %(maximum)s points. Is that what you mean?"),
      { lost: `\u2068${lost}\u2069`, maximum: `\u2068${maximum}\u2069` })];
  }
  return [];
}

/**
 * The weight for what was typed as points to take away; null where that is no whole number from 1 to `most`. Whoever types
 * the minus that stands before the box means it once.
 */
export function weightFrom(typed, most) {
  const points = Number(typed.trim().replace(/^[-−]/, ""));
  return points !== 0 && Number.isInteger(points) && points >= 1 && points <= most ? -points : null;
}
