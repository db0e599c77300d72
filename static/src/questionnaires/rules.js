// What the rules of the stage say of the answers to a questionnaire. Pure; the server goes by the same ones
// (annotation/questionnaires/rules.py), and both are held to tests/annotation/questionnaire_rules.json.
import { isMiscounted } from "../spans/rules.js";
import { isOpen } from "./open.js";

/**
 * @typedef {{most?: number, least?: number, ask?: string[], after?: string, question?: string[], at_least?: number,
 *   at_most?: number, answer?: string[], warns?: boolean, message: string}} Rule
 */

/** Of any of several, one such answer among them will do. */
function isSo({ at_least: lowest = -Infinity, at_most: highest = Infinity, answer }, value) {
  const isBounded = lowest !== -Infinity || highest !== Infinity;
  if (isBounded && !(typeof value === "number" && value >= lowest && value <= highest)) return false;
  return !answer?.length || [value].flat().some((one) => answer.includes(one));
}

const isOf = (rule, key, value) => (!rule.question?.length || rule.question.includes(key)) && isSo(rule, value);
const isSaid = (rule, answers) => !isOpen(answers[rule.after]) && isSo(rule, answers[rule.after]);

/** The rules without those that hold only until a part beside the marks is answered, where it is answered so. */
export const holding = (rules, answers) => rules.filter((rule) => !rule.unless || !isSaid({ ...rule, after: rule.unless }, answers));

/** The parts that nobody need answer, for what they are asked after was not said. @returns {Set<string>} */
export function leftOpen(rules, answers) {
  return new Set(rules.filter((rule) => rule.ask && !isSaid(rule, answers)).flatMap(({ ask }) => ask));
}

/**
 * Those of them that are not asked at all: a rule that only warns lets them be answered. What was said to a part that
 * is not asked is no answer that another could be asked after. @returns {Set<string>}
 */
export function notAsked(rules, answers) {
  const held = rules.filter(({ warns }) => !warns);
  let hidden = new Set();
  for (;;) {
    const known = hidden;
    hidden = leftOpen(held, Object.fromEntries(Object.entries(answers).filter(([key]) => !known.has(key))));
    if (hidden.size === known.size) return hidden;
  }
}

/** Every rule that these answers do not keep, part by part, then those of all together. */
export function broken(rules, answers) {
  const given = Object.entries(answers).filter(([, value]) => !isOpen(value));
  const told = (rule, span, field, code) => ({ span, field, code, message: rule.message, warns: Boolean(rule.warns) });
  const found = given.flatMap(([key]) => rules.filter((rule) => rule.ask?.includes(key) && !isSaid(rule, answers))
    .map((rule) => told(rule, key, key, "not_asked")));
  const counted = rules.filter((rule) => isMiscounted(rule, given.filter(([key, value]) => isOf(rule, key, value)).length));
  return [...found, ...counted.map((rule) => told(rule, null, "answers", rule.most === undefined ? "too_few" : "too_many"))];
}
