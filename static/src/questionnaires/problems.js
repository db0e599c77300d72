// What stands in the way of submitting, in the order of the screen. Pure.
import { gettext } from "../site/text.js";
import { isOpen } from "./open.js";
import { broken, leftOpen } from "./rules.js";

/** @typedef {{span: string, field: string, message: string}} Problem `span` is the part's key; `field` the same, or the response that has no rank */

/** @param {{questions: object[], sides: string[]}} task @param {import("./document.js").Draft} draft @returns {Problem[]} */
export function problemsOf({ questions, sides, rules = [] }, { answers }) {
  const open = leftOpen(rules, answers);
  const missing = questions.flatMap((part) => {
    const value = answers[part.slug];
    if (open.has(part.slug) && isOpen(value)) return [];
    if (part.type === "ranking" && !(part.optional && isOpen(value))) {
      return sides.filter((name) => !value?.[name]).map((name) => ({ span: part.slug, field: name, message: gettext("Each response needs its rank.") }));
    }
    return part.optional || !isOpen(value) ? [] : [{ span: part.slug, field: part.slug, message: gettext("An answer is missing.") }];
  });
  return [...missing, ...broken(rules, answers).filter(({ warns }) => !warns)];
}

/** What the rules find fault with and let pass. */
export const warningsOf = ({ rules = [] }, { answers }) => broken(rules, answers).filter(({ warns }) => warns);
