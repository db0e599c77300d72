// What stands in the way of submitting, in the order the person meets it on the page.
import { gettext } from "../site/text.js";

/** @typedef {{span: ?string, field: ?string, code: string, message: string}} Problem */

function missingFields(span, { asks, asksCategory }) {
  const missing = [];
  if (asks.type && !span.type) missing.push({ field: "type", message: gettext("Choose the type of error.") });
  if (asks.criticality && !span.criticality) missing.push({ field: "criticality", message: gettext("Choose how critical it is.") });
  if (asksCategory(span) && !span.category) missing.push({ field: "category", message: gettext("Choose a category.") });
  if (!span.explanation.trim()) missing.push({ field: "explanation", message: gettext("Explain what is wrong.") });
  return missing.map(({ field, message }) => ({ span: span.id, field, code: "required", message }));
}

/** True when nothing that the document asks for is left to fill in for this span. */
export function isComplete(span, { asks, asksCategory }) {
  return Boolean((span.type || !asks.type) && (span.criticality || !asks.criticality) && span.explanation.trim()
    && (span.category || !asksCategory(span)));
}

function sameMark(span) {
  return JSON.stringify([span.anchor, span.start, span.end, span.paragraph, span.type, span.category,
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
  if (document.asks.score && document.score === null) {
    problems.push({ span: null, field: "score", code: "required", message: gettext("A grade is missing.") });
  }
  return problems;
}
