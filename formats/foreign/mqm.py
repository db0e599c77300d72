"""MQM as tables of WMT have it: an error a row, its words between <v> and </v> in the source or in the target.

https://github.com/google/wmt-mqm-human-evaluation. Columns: system, doc, doc_id, seg_id, rater, source, target,
category, severity; some sets have others for the segment. Quotes mean nothing in these files. The rows of a rater's
answer stand wherever they stand: they become one answer in the order of the rows. An error of the source, or one that
marks no words, is one of the whole text and says so in its metadata. A severity is the criticality of that name; where
the project has no such word, the importer of answers takes what stands for it (`SEVERITIES`).
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from django.utils.translation import gettext as _

from agreement import mqm
from formats.foreign.documents import AS_SEVERITY, SEVERITIES, Answer, Document, Loss, Mark, wrong
from formats.reading import Record

READS = "tsv-unquoted"
HOLDS = frozenset({"categories", "criticality", "omissions", "raters"})
IS_GROUPED = True
TAG = re.compile("</?v>")
MARKED = re.compile("<v>(.*?)</v>", re.DOTALL)
NO_ERROR = ("no-error", "no_error", "no error")
#: Rows that try whether a rater looks; they are no work.
TESTS = ("hotw-test",)
SEGMENT = ("doc", "doc_id", "docSegId", "seg_id", "globalSegId", "segid")


def document_of(record: Record) -> Document | None:
    fields, line = record.fields, record.line
    severity = fields.get("severity", "").strip().lower()
    needed = ["system", "rater", "target", "severity", *(["category"] if severity not in NO_ERROR else [])]
    missing = [name for name in needed if name not in fields]
    if missing:
        names = ", ".join(missing)
        raise wrong(_("The row has no %(names)s: this is no table of MQM.") % {"names": names}, line, missing[0])
    if severity not in (*SEVERITIES, *NO_ERROR, *TESTS):
        raise wrong(_("The severity is none that MQM knows."), line, "severity")
    if severity in TESTS:
        return None
    segment = "/".join(str(fields[name]) for name in SEGMENT if fields.get(name))
    source, target = fields.get("source", ""), fields["target"]
    text, words = TAG.sub("", target), MARKED.search(target)
    facts = {"prompt_id": segment, "prompt": TAG.sub("", source), "model": fields["system"], "task": "translation"}
    answer = Answer(fields["rater"], [])
    if severity not in NO_ERROR:
        said: dict[str, Any] = {
            "criticality": severity,
            "metadata": {"severity": fields["severity"], "category": fields["category"], "row": line},
        }
        if severity != "critical":  # what that costs, table 4 of the paper does not say
            said["penalty"] = mqm.weight(fields["category"], fields["severity"].strip())
        if fields.get("comment"):
            said["explanation"] = fields["comment"]
        if words is None or not words[1]:
            marked = MARKED.search(source)
            said["metadata"]["source_quote"] = marked[1] if marked else ""
            said["anchor"] = "response"
        start = words.start() if words else 0
        end = start + len(words[1]) if words else 0
        answer.marks.append(Mark(f"row-{line}", start, end, fields["category"], said))
    return Document(f"{fields['system']}/{segment}", text, facts, [answer], line)


def written(documents: Iterable[Document]) -> Iterator[bytes]:
    columns = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity")
    yield ("\t".join(columns) + "\n").encode()
    for document in documents:
        parts = (document.key, "1", "1")
        for answer in document.answers:
            common = (document.facts.get("model", ""), *parts, answer.rater, document.facts.get("prompt", ""))
            if not answer.marks:
                yield _row(*common, document.text, "No-error", "No-error")
            for mark in answer.marks:
                text = document.text
                if mark.said.get("anchor", "words") == "words":
                    text = f"{text[: mark.start]}<v>{text[mark.start : mark.end]}</v>{text[mark.end :]}"
                level = mark.said.get("criticality") or ""
                severity = (level if level in SEVERITIES else AS_SEVERITY.get(level, "minor")).capitalize()
                yield _row(*common, text, mark.category or "Other", severity)


def losses(document: Document) -> dict[str, int]:
    return {Loss.LINE_ENDS: len(document.text.splitlines()) > 1}


def _row(*cells: str) -> bytes:
    return ("\t".join(" ".join(str(cell).splitlines()).replace("\t", " ") for cell in cells) + "\n").encode()
