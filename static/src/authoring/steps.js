// The steps of a rubric, what each still lacks, and whether it is done. No page, no network.
import { gettext, interpolate, ngettext } from "../site/text.js";
import { sameFinding } from "./document.js";

/**
 * @typedef {{field: string, criterion: ?string, message: string, said: boolean}} Lack
 * @typedef {{id: string, title: string, lacks: Lack[], done: boolean, optional: boolean}} Step
 */
// `said`: the step itself says it already, in a notice of its own.
const lack = (field, message, { criterion = null, said = false } = {}) => ({ field, criterion, message, said });

/** What a criterion lacks, in the order of its fields. A band may be left out: not every weight has one. */
export function lacksOf(criterion) {
  const found = [];
  if (!criterion.text.trim()) found.push(["text", gettext("Say what the answer must contain.")]);
  if (criterion.weight === null) found.push(["weight", gettext("Give this criterion a weight.")]);
  if (!criterion.objectivity) found.push(["objectivity", gettext("Say whether this is objective or subjective.")]);
  if (!criterion.explicitness) found.push(["explicitness", gettext("Say whether the prompt asks for this explicitly.")]);
  return found.map(([field, message]) => lack(field, message, { criterion: criterion.key }));
}

/** What the difficulty check of the prompt as it stands lacks. @param {?object} check of these very words, if any */
export function lacksOfCheck(prompt, check, checkedBefore) {
  if (!prompt.trim()) return [lack("difficulty", gettext("Write the prompt first, then try it on a model."))];
  if (check?.outcome === "perfect") return [lack("difficulty", gettext("The model answered it perfectly: revise the prompt and check again, or discard it."), { said: true })];
  if (check?.outcome) return [];
  if (check) return [lack("difficulty", gettext("Say how well the model answered."))];
  return [checkedBefore ? lack("difficulty", gettext("The prompt was changed since it was checked. Check it again."), { said: true })
    : lack("difficulty", gettext("Try the prompt once on a model, and say how it did."))];
}

function lacksOfReview(review) {
  if (review.state === "approved") return [];
  if (review.state === "asked") return [lack("review", gettext("A second author is asked; the answer is not here yet."), { said: true })];
  if (review.state === "returned") return [lack("review", gettext("It came back with remarks. Go through them, then ask again."), { said: true })];
  return [review.state === "changed" ? lack("review", gettext("The rubric was changed since it was reviewed. Ask again."), { said: true })
    : lack("review", gettext("Ask a second author to review it."))];
}

/** Findings nobody has answered yet: not accepted, and about a criterion that still stands. */
export function openFindings(findings, state) {
  const keys = new Set(state.criteria.map(({ key }) => key));
  return findings.filter((finding) => (!finding.criterion || keys.has(finding.criterion))
    && !state.accepted.some((each) => sameFinding(each, finding)));
}

function lacksOfFindings(count) {
  return count ? [lack("findings", interpolate(ngettext(
    "%(count)s remark is open: mend it, or keep it with a reason.",
    "%(count)s remarks are open: mend them, or keep them with a reason.", count), { count }))] : [];
}

/**
 * @param {import("./document.js").Draft} state
* @param {{check: ?object, checkedBefore: boolean, needsCheck: boolean, review: {needed: boolean, state: string},
 *   findings: object[]}} facts
 * @returns {Step[]} in the order of the page; the last, the freeze, lacks whatever the others lack
 */
export function stepsOf(state, facts) {
  const criteria = state.criteria.length ? state.criteria.flatMap(lacksOf)
    : [lack("criteria", gettext("Add at least one criterion."))];
  if (state.criteria.length && state.criteria.every(({ weight }) => weight < 0)) {
    criteria.unshift(lack("criteria", gettext("Add a criterion with a weight above 0: without one there is nothing to reach.")));
  }
  const step = (id, title, lacks, { optional = false, done = !lacks.length } = {}) => ({ id, title, lacks, optional, done });
  const steps = [
    step("scope", gettext("Scope"), state.scope ? [] : [lack("scope", gettext("Choose the scope: cultural or linguistics."))]),
    step("prompt", gettext("Prompt"), state.prompt.trim() ? [] : [lack("prompt", gettext("Write the prompt."))]),
    step("difficulty", gettext("Difficulty check"), lacksOfCheck(state.prompt, facts.check, facts.checkedBefore), { optional: !facts.needsCheck }),
    step("gold", gettext("Gold answer"), state.gold_answer.trim() ? [] : [lack("gold_answer", gettext("Write the gold answer."))]),
    step("criteria", gettext("Criteria"), [...criteria, ...lacksOfFindings(openFindings(facts.findings, state).length)]),
    step("review", gettext("Review"), lacksOfReview(facts.review), { optional: !facts.review.needed }),
  ];
  const open = steps.filter(({ done, optional }) => !done && !optional);
  // A perfect answer stands in the way even where nobody asked for a check.
  const perfect = facts.check?.outcome === "perfect" && !facts.needsCheck ? steps[2].lacks : [];
  const lacks = [...open.flatMap((each) => each.lacks), ...perfect];
  return [...steps, step("freeze", gettext("Freeze"), lacks, { done: false })];
}
