"""Error Span Annotation as the WMT tasks publish it: a segment of one annotator a line, its spans and its score.

https://github.com/wmt-conference/wmt24-news-systems (`wmt24_esa.jsonl`). Fields: langs, line_id, doc_id, domain, src,
tgt, system, annotator, esa_score (0 to 100), esa_spans with start_i, end_i (half-open) and severity. A span whose
offsets are "missing" is an omission. Answers are the marks, and the score as a rating on the question type “score”.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import orjson
from django.utils.translation import gettext as _

from formats.foreign.documents import (
    AS_SEVERITY,
    CODE_POINTS,
    SEVERITIES,
    UTF16,
    Answer,
    Document,
    Mark,
    code_points,
    records_of,
    whole,
    wrong,
)
from formats.reading import Record

READS = "jsonl"
HOLDS = frozenset({"criticality", "omissions", "raters", "scores"})
QUESTION = "score"
MISSING = "missing"


def lines_of(record: Record, kind: str) -> Iterator[Record]:
    document = document_of(record)
    yield from records_of(document, kind)
    score = record.fields.get("esa_score")
    if kind == "answers" and score is not None:
        if isinstance(score, bool) or not isinstance(score, (int, float)):
            raise wrong(_("A score is a number."), record.line, "esa_score")
        rating = {"kind": "ratings", "item": document.key, "question": QUESTION, "grade": whole(score)}
        whose = {"rater": document.answers[0].rater, "rater_kind": "human"}
        yield Record(record.line, {**rating, **whose})


def document_of(record: Record) -> Document:
    fields, line = record.fields, record.line
    text = fields.get("tgt")
    if not isinstance(text, str) or not text or not isinstance(fields.get("esa_spans"), list):
        raise wrong(_("A line of ESA has its text under “tgt” and its marks under “esa_spans”."), line, "esa_spans")
    segment = "/".join(str(fields[name]) for name in ("langs", "doc_id", "line_id") if fields.get(name) is not None)
    facts: dict[str, Any] = {"task": "translation"}
    for ours, theirs in (("prompt", "src"), ("model", "system"), ("domain", "domain")):
        if isinstance(fields.get(theirs), str) and fields[theirs]:
            facts[ours] = fields[theirs]
    if segment:
        facts["prompt_id"] = segment
    answer = Answer(str(fields.get("annotator") or "ESA"), [])
    for number, span in enumerate(fields["esa_spans"], start=1):
        severity = str(span.get("severity") or "")
        said: dict[str, Any] = {"metadata": {"severity": severity}}
        if severity in SEVERITIES:
            said["criticality"] = severity
        start = end = 0
        if MISSING in (span.get("start_i"), span.get("end_i")):
            said["anchor"] = "response"
        else:
            start, end = placed(text, span, line)
        answer.marks.append(Mark(f"{answer.rater}-{number}"[-64:], start, end, "", said))
    return Document(f"{fields.get('system', '')}/{segment}" if segment else str(line), text, facts, [answer], line)


def placed(text: str, span: dict[str, Any], line: int) -> tuple[int, int]:
    """Code points; in UTF-16, as the page counts that people mark on, where these lie outside the text."""
    start, end = span.get("start_i"), span.get("end_i")
    unit = UTF16 if isinstance(end, int) and end > len(text) else CODE_POINTS
    return code_points(text, start, end, None, unit, line)


def written(documents: Iterable[Document]) -> Iterator[bytes]:
    """A line for each annotator of a text; the score where there is one."""
    for document in documents:
        for answer in document.answers:
            row: dict[str, Any] = {
                "line_id": document.key,
                "src": document.facts.get("prompt", ""),
                "tgt": document.text,
                "esa_spans": [_span(mark) for mark in answer.marks],
                "esa_score": None if answer.score is None else whole(answer.score),
                "system": document.facts.get("model", ""),
                "annotator": answer.rater,
            }
            yield orjson.dumps(row) + b"\n"


def _span(mark: Mark) -> dict[str, Any]:
    level = mark.said.get("criticality") or ""
    severity = level if level in SEVERITIES else AS_SEVERITY.get(level, "undecided")
    is_missing = mark.said.get("anchor", "words") != "words"
    place = (MISSING, MISSING) if is_missing else (mark.start, mark.end)
    return {"start_i": place[0], "end_i": place[1], "severity": severity}
