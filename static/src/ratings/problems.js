// What stands in the way of submitting, in the order of the screen, and what looks like a slip.
import { gettext } from "../site/text.js";
import { broken, isAnswered, leftOpen } from "./rules.js";

/** @typedef {{span: string, field: string, message: string}} Problem `span` is the question's slug, `field` as in a draft */

export const hasScale = ({ lowest }) => lowest !== null;

/** @param {object} task @param {import("./document.js").Draft} draft @returns {Problem[]} */
export function problemsOf({ questions, sides, rules = [] }, draft) {
  const given = new Map(draft.ratings.map((rating) => [rating.question, rating]));
  const open = leftOpen(rules, draft.ratings);
  const against = broken(rules, draft.ratings).filter(({ warns }) => !warns);
  const missing = questions.flatMap((question) => {
    const rating = given.get(question.slug);
    if (open.has(question.slug) && !isAnswered(rating)) return [];
    if (!hasScale(question)) {
      return rating.preference ? [] : [{ span: question.slug, field: "preference", message: gettext("Say which one is better.") }];
    }
    return sides.filter((side) => rating[side] === null).map((side) => ({ span: question.slug, field: side, message: gettext("A grade is missing.") }));
  });
  return [...missing, ...against.filter(({ span }) => !missing.some((one) => one.span === span))];
}

/** What the rules find fault with and let pass. */
export const warningsOf = ({ rules = [] }, draft) => broken(rules, draft.ratings).filter(({ warns }) => warns);

/** What a preference and two grades say against each other; it stops nobody. @returns {string} empty where nothing */
export function contradiction({ sides }, rating) {
  const [a, b] = sides.map((side) => rating[side]);
  if (sides.length < 2 || !rating.preference || a === null || b === null || a === b) return "";
  if (rating.preference === "tie") return gettext("Your grades differ, yet you call both equally good. Is that what you mean?");
  if (rating.preference === sides[0] && a < b) return gettext("You grade A lower than B, yet say that A is better. Is that what you mean?");
  if (rating.preference === sides[1] && b < a) return gettext("You grade B lower than A, yet say that B is better. Is that what you mean?");
  return "";
}
