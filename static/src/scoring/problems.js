// What stands in the way of submitting, in the order of the page; the same as rubrics/scoring/checking.py asks.
import { gettext } from "../site/text.js";
import { broken } from "./rules.js";

/** @typedef {{span: ?string, field: string, message: string}} Problem `span` is the key of the criterion or error */

export function problemsOf(criteria, draft, types, rules = []) {
  const missing = criteria.filter(({ key }) => !draft.verdicts[key]).map(({ key, positive }) => ({
    span: key, field: "verdict",
    message: positive ? gettext("Decide whether this passes or fails.") : gettext("Decide whether this is there."),
  }));
  const against = broken(rules, criteria, draft).filter(({ warns }) => !warns);
  return [...missing, ...draft.negatives.flatMap((negative) => unfinished(negative, types)), ...repeated(draft.negatives), ...against];
}

/** What the rules of the stage find fault with and let pass, once all is decided. */
export function warned(criteria, draft, rules = []) {
  if (criteria.some(({ key }) => !draft.verdicts[key])) return [];
  return [...new Set(broken(rules, criteria, draft).filter(({ warns }) => warns).map(({ message }) => message))];
}

/** `types` are the types of failure to choose from; without any none is asked for. */
export function unfinished(negative, types) {
  const asked = [
    ["failure_type", negative.failure_type || !types.length, gettext("Choose the type of failure.")],
    ["text", negative.text.trim(), gettext("Say what is wrong.")],
    ["weight", negative.weight !== null, gettext("Give the points it takes away.")],
    ["objectivity", negative.objectivity, gettext("Choose objective or subjective.")],
    ["explicitness", negative.explicitness, gettext("Choose explicit or implicit.")],
  ];
  return asked.filter(([, given]) => !given).map(([field, , message]) => ({ span: negative.key, field, message }));
}

function repeated(negatives) {
  const seen = new Set();
  const found = [];
  for (const { key, start, end, failure_type: type, text } of negatives) {
    const claim = JSON.stringify([start, end, type, text.trim()]);
    if (seen.has(claim) && text.trim()) {
      found.push({ span: key, field: "text", message: gettext("This repeats another error on the same words. Change or delete one of them.") });
    }
    seen.add(claim);
  }
  return found;
}
