// What stands in the way of submitting, in the order the person meets it on the page.
import { gettext } from "../site/text.js";
import { problemsOf, warningsOf } from "../questionnaires/problems.js";
import { holding } from "../questionnaires/rules.js";
import { brokenByAll, brokenByMark, isOfParts } from "./rules.js";

/** @typedef {{span: ?string, field: ?string, code: string, message: string}} Problem `span` is the id of a mark, or the key
 * of a part that is asked beside the marks */

const partsOf = ({ parts, rules }) => ({ questions: parts, sides: [], rules: rules.filter(isOfParts) });

/** The rules as they hold beside what was answered to the parts. */
const rulesOf = (document) => holding(document.rules, document.given ?? {});

function missingFields(span, document) {
  const { asks, asksCategory } = document;
  const missing = [];
  if (asks.type && !span.type) missing.push({ field: "type", message: gettext("Choose the type of error.") });
  if (asks.criticality && !span.criticality) missing.push({ field: "criticality", message: gettext("Choose how critical it is.") });
  if (!span.category && asksCategory(span)) missing.push({ field: "category", message: gettext("Choose a category.") });
  const named = missing.map(({ field, message }) => ({ span: span.id, field, code: "required", message }));
  const broken = brokenByMark(rulesOf(document), span).filter(({ field, warns }) => !warns && !missing.some((one) => one.field === field));
  return [...named, ...broken];
}

/** True when nothing that the document asks for is left to fill in for this span. */
export const isComplete = (span, document) => missingFields(span, document).length === 0;

/** What the rules find fault with and let pass. @param {import("./document.js").SpanDocument} document @returns {Problem[]} */
export function findWarnings(document) {
  const rules = rulesOf(document);
  const marks = [...document.spans.values()];
  const ofMarks = [...marks.flatMap((mark) => brokenByMark(rules, mark)), ...brokenByAll(rules, marks)].filter(({ warns }) => warns);
  return [...ofMarks, ...warningsOf(partsOf(document), { answers: document.given })];
}

function sameMark(span) {
  return JSON.stringify([span.anchor, span.start, span.end, span.more, span.paragraph, span.type, span.category,
    span.explanation.trim()]);
}

/** @param {import("./document.js").SpanDocument} document @returns {Problem[]} */
export function findProblems(document) {
  const problems = [];
  const seen = new Set();
  for (const span of document.list()) {
    problems.push(...missingFields(span, document));
    const key = sameMark(span);
    if (seen.has(key)) {
      problems.push({ span: span.id, field: "explanation", code: "repeated", message: gettext("This repeats another mark on the same words. Change or delete one of them.") });
    }
    seen.add(key);
  }
  if (!document.size && !document.noErrors) {
    problems.push({ span: null, field: null, code: "nothing", message: gettext("Mark at least one error, or say that there are none.") });
  }
  problems.push(...brokenByAll(rulesOf(document), document.list()).filter(({ warns }) => !warns));
  if (document.asks.score && document.score === null) {
    problems.push({ span: null, field: "score", code: "required", message: gettext("A grade is missing.") });
  }
  return [...problems, ...problemsOf(partsOf(document), { answers: document.given })];
}
