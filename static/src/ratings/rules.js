// What the rules of the stage say of ratings. Pure; the server goes by the same ones (annotation/pairs/rules.py), and both
// are held to tests/annotation/rating_rules.json.
import { isMiscounted } from "../spans/rules.js";

/**
 * @typedef {{needs?: "comment", most?: number, least?: number, ask?: string[], after?: string, question?: string[],
 *   at_least?: number, at_most?: number, preference?: string[], warns?: boolean, message: string}} Rule
 */

const GRADES = ["first", "second"];
const isKnown = (value) => value !== null && value !== undefined;

export const isAnswered = (rating) => GRADES.some((field) => isKnown(rating[field])) || Boolean(rating.preference);

/** Of a pair, either side's grade will do. */
function isSo({ at_least: lowest = -Infinity, at_most: highest = Infinity, preference }, rating) {
  const isBounded = lowest !== -Infinity || highest !== Infinity;
  if (isBounded && !GRADES.some((field) => isKnown(rating[field]) && rating[field] >= lowest && rating[field] <= highest)) return false;
  return !preference?.length || preference.includes(rating.preference);
}

const isOf = (rule, rating) => (!rule.question?.length || rule.question.includes(rating.question)) && isSo(rule, rating);
const isSaid = (rule, ratings) => ratings.some((rating) => rating.question === rule.after && isAnswered(rating) && isSo(rule, rating));

/** The questions that nobody need answer, for what they are asked after was not said. @returns {Set<string>} */
export function leftOpen(rules, ratings) {
  return new Set(rules.filter((rule) => rule.ask && !isSaid(rule, ratings)).flatMap(({ ask }) => ask));
}

/**
 * Those of them that are not asked at all: a rule that only warns lets them be answered. What was said to a question
 * that is not asked is no answer that another could be asked after. @returns {Set<string>}
 */
export function notAsked(rules, ratings) {
  const held = rules.filter(({ warns }) => !warns);
  let hidden = new Set();
  for (;;) {
    const known = hidden;
    hidden = leftOpen(held, ratings.filter(({ question }) => !known.has(question)));
    if (hidden.size === known.size) return hidden;
  }
}

/** Every rule that these ratings do not keep, question by question, then those of all together. */
export function broken(rules, ratings) {
  const given = ratings.filter(isAnswered);
  const told = (rule, span, field, code) => ({ span, field, code, message: rule.message, warns: Boolean(rule.warns) });
  const found = given.flatMap((rating) => rules.flatMap((rule) => {
    if (rule.needs && isOf(rule, rating) && !(rating.comment ?? "").trim()) return [told(rule, rating.question, "comment", "required")];
    if (!rule.ask?.includes(rating.question) || isSaid(rule, ratings)) return [];
    return [told(rule, rating.question, GRADES.find((field) => isKnown(rating[field])) ?? "preference", "not_asked")];
  }));
  const counted = rules.filter((rule) => isMiscounted(rule, given.filter((rating) => isOf(rule, rating)).length));
  return [...found, ...counted.map((rule) => told(rule, null, "ratings", rule.most === undefined ? "too_few" : "too_many"))];
}
