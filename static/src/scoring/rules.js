// What the rules of the stage say of a grading. Pure; the server goes by the same ones (rubrics/scoring/rules.py), and both
// are held to tests/rubrics/grading_rules.json.
import { isMiscounted } from "../spans/rules.js";

const isOf = (rule, value, tags) => (!rule.verdict?.length || rule.verdict.includes(value)) && (!rule.tag?.length || tags.some((tag) => rule.tag.includes(tag)));

/** Every rule that a grading does not keep. @param {{key: string, tags: string[]}[]} criteria those that were asked about */
export function broken(rules, criteria, { verdicts, negatives, comment }) {
  const tagsOf = new Map(criteria.map(({ key, tags }) => [key, tags ?? []]));
  const said = [...Object.entries(verdicts).map(([key, value]) => [value, tagsOf.get(key) ?? []]), ...negatives.map(() => ["present", []])];
  return rules.flatMap((rule) => {
    const count = said.filter(([value, tags]) => isOf(rule, value, tags)).length;
    const told = (field, code) => [{ span: null, field, code, message: rule.message, warns: Boolean(rule.warns) }];
    if (rule.needs) return count && !comment.trim() ? told("comment", "required") : [];
    return isMiscounted(rule, count) ? told("verdicts", rule.most === undefined ? "too_few" : "too_many") : [];
  });
}
