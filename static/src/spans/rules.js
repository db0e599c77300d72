// What the rules of the stage say of the marks of an answer. Pure; the server goes by the same ones
// (annotation/spans/rules.py), and both are held to tests/annotation/answer_rules.json.

/**
 * @typedef {{needs?: "explanation"|"correction"|"category"|"link", most?: number, least?: number, criticality?: string[], type?: string[],
 *   category?: string[], warns?: boolean, message: string}} Rule
 */

const OF_MARKS = ["criticality", "type", "category"];
const LINK = /https?:\/\/[^\s.]+\.\S/;

const isOf = (rule, mark) => OF_MARKS.every((name) => !rule[name]?.length || rule[name].includes(mark[name]));
const has = (mark, need) => (need === "link" ? LINK.test(mark.explanation ?? "") : Boolean((mark[need] ?? "").trim()));

/** Whether so many entries are more, or fewer, than the rule says. */
export const isMiscounted = ({ most, least }, count) => (most !== undefined && count > most) || (least !== undefined && count < least);

/** Whether a rule of work that asks for marks and parts speaks of the parts: what only such a rule says, but where it is
 * one of marks that holds `unless` a part is answered so. */
export const isOfParts = (rule) => !rule.unless && (["ask", "question", "answer"].some((name) => rule[name]?.length)
  || [rule.at_least, rule.at_most].some((bound) => bound !== undefined));

/** The rules that one mark does not keep. @param {Rule[]} rules */
export function brokenByMark(rules, mark) {
  return rules.filter((rule) => rule.needs && isOf(rule, mark) && !has(mark, rule.needs)).map((rule) => ({
    span: mark.id, field: rule.needs === "link" ? "explanation" : rule.needs, code: "required", message: rule.message, warns: Boolean(rule.warns),
  }));
}

/** The rules that all marks together do not keep. @param {Rule[]} rules @param {object[]} marks */
export function brokenByAll(rules, marks) {
  return rules.filter((rule) => !isOfParts(rule) && isMiscounted(rule, marks.filter((mark) => isOf(rule, mark)).length))
    .map((rule) => ({ span: null, field: "spans", code: rule.most === undefined ? "too_few" : "too_many", message: rule.message, warns: Boolean(rule.warns) }));
}

/** Whether every mark must hold it, whatever kind of mark it is. @param {Rule[]} rules */
export const alwaysNeeds = (rules, need) => rules.some((rule) => rule.needs === need && !rule.warns && !rule.unless && OF_MARKS.every((name) => !rule[name]?.length));
