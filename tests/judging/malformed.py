"""Outputs of judges that are no answers, for every kind; and a second list of some that look like it and are.

Each is made from an answer that counts (`every_kind.FORMS`), by one defect. The words are our own.
"""

import base64
import html
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from tests.judging.every_kind import CRITERIA, ERROR, FORMS, ISSUES, OWN_JSON, TEXT, TICKET, VERDICTS, Form

ARABIC_DIGITS = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
LOOKALIKES = str.maketrans("aeopc", "аеорс")  # Latin to Cyrillic
MAIN = {  # the field of each form that says most, and its name in Arabic
    "spans": ("errors", "أخطاء"),
    "sentences": ("sentence", "جملة"),
    "rubric": ("verdicts", "أحكام"),
    "pointwise": ("grade", "درجة"),
    "pairwise": ("grade_b", "درجة_ب"),
    "preference": ("preference", "تفضيل"),
    "groups": ("issues", "مسائل"),
    "categories": ("category", "فئة"),
    "refinement": ("quote", "اقتباس"),
    "same_issue": ("same_issue", "مسألة"),
    "reference": ("score", "نقاط"),
    "editing": ("text", "نص"),
    "questionnaire": ("answers", "إجابات"),
    "prompt_alone": ("answers", "إجابات"),
}


@dataclass(frozen=True)
class Case:
    """An output to one form's question, and the state in which its call has to end."""

    form: str
    name: str
    text: str
    state: str
    fields: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.form}: {self.name}"


def dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def changed(form: Form, **changes: Any) -> str:
    """The answer with fields changed; one that is ... is left out."""
    return dumped({key: value for key, value in form.answer(**changes).items() if value is not ...})


def renamed(form: Form, old: str, new: str) -> str:
    return dumped({new if key == old else key: value for key, value in form.answer().items()})


def raw(form: Form, name: str, written: str) -> str:
    """The answer with a field as it would stand in the text."""
    return changed(form, **{name: "HERE"}).replace('"HERE"', written)


REFUSALS = {
    "English": "I'm sorry, but I can’t help with rating this answer.",
    "Arabic": "عذراً، لا أستطيع تقييم هذه الإجابة.",
    "Bengali": "দুঃখিত, আমি এই উত্তরের মূল্যায়ন করতে পারব না।",
    "Korean": "죄송합니다. 이 답변은 평가를 도와드릴 수 없습니다.",
    "Indonesian": "Maaf, saya tidak dapat menilai jawaban ini.",
    "Spanish": "Lo siento, no puedo ayudar con esa evaluación.",
    "French": "Désolé, je ne peux pas évaluer cette réponse.",
    "German": "Es tut mir leid, diese Antwort kann ich nicht bewerten.",
    "Chinese": "抱歉，我无法评价这个回答。",
    "Japanese": "申し訳ありませんが、この回答の評価はお手伝いできません。",
}

# --- Defects that every kind can have -----------------------------------------------------------------

Defect = Callable[[Form, str, str], str]  # of the form, the name of its main field, and that name in Arabic


def saying(said: str) -> Defect:
    return lambda form, main, arabic: said


DEFECTS: dict[str, tuple[Defect, str]] = {
    "empty": (lambda form, main, arabic: "", "malformed"),
    "blank": (lambda form, main, arabic: " \n\t\n", "malformed"),
    "null": (lambda form, main, arabic: "null", "malformed"),
    "true": (lambda form, main, arabic: "true", "malformed"),
    "a string boolean": (lambda form, main, arabic: '"true"', "malformed"),
    "4/5": (lambda form, main, arabic: "4/5", "malformed"),
    "4.5": (lambda form, main, arabic: "4.5", "malformed"),
    "Arabic digits": (lambda form, main, arabic: "٤ من ٥", "malformed"),
    "prose": (lambda form, main, arabic: "The answer reads well and I would pass it.", "malformed"),
    "200 kB of prose": (lambda form, main, arabic: "It reads well. " * 13_500, "malformed"),
    "a fence with nothing in it": (lambda form, main, arabic: "```json\n```", "malformed"),
    "an empty object": (lambda form, main, arabic: "{}", "malformed"),
    "a list of the answer": (lambda form, main, arabic: f"[{form.text}]", "malformed"),
    "a string of the answer": (lambda form, main, arabic: dumped(form.text), "malformed"),
    "within another object": (lambda form, main, arabic: dumped({"answer": form.answer()}), "malformed"),
    "twice": (lambda form, main, arabic: f"{form.text}\n{form.text}", "malformed"),
    "twice in fences": (lambda form, main, arabic: f"```json\n{form.text}\n```\n" * 2, "malformed"),
    "and another one": (
        lambda form, main, arabic: f"{form.text}\nOn reflection:\n{changed(form, ticket='f' * 16)}",
        "malformed",
    ),
    "and the response's own": (lambda form, main, arabic: f"{OWN_JSON}\n{form.text}", "malformed"),
    "the response's own JSON": (lambda form, main, arabic: OWN_JSON, "malformed"),
    "the response": (lambda form, main, arabic: TEXT, "malformed"),
    "the form in place of an answer": (
        lambda form, main, arabic: dumped(form.kind.schema(form.prompt, form.material)),
        "malformed",
    ),
    "the instructions' example": (lambda form, main, arabic: changed(form, ticket="..."), "malformed"),
    "an error of the provider": (
        lambda form, main, arabic: dumped({"error": {"message": "Overloaded", "code": 529}}),
        "malformed",
    ),
    "a tool call as text": (
        lambda form, main, arabic: f"<tool_call>{dumped({'name': 'submit', 'arguments': form.answer()})}</tool_call>",
        "malformed",
    ),
    "another ticket": (lambda form, main, arabic: changed(form, ticket="f" * 16), "malformed"),
    "no ticket": (lambda form, main, arabic: changed(form, ticket=...), "malformed"),
    "null for a ticket": (lambda form, main, arabic: changed(form, ticket=None), "malformed"),
    "a number for a ticket": (lambda form, main, arabic: changed(form, ticket=123456789), "malformed"),
    "a list for a ticket": (lambda form, main, arabic: changed(form, ticket=[TICKET]), "malformed"),
    "the ticket in capitals": (lambda form, main, arabic: changed(form, ticket=TICKET.upper()), "malformed"),
    "the ticket in Arabic digits": (
        lambda form, main, arabic: changed(form, ticket=TICKET.translate(ARABIC_DIGITS)),
        "malformed",
    ),
    "the ticket with a character nobody sees": (
        lambda form, main, arabic: changed(form, ticket=f"{TICKET[:8]}\u200b{TICKET[8:]}"),
        "malformed",
    ),
    "the ticket with a space": (lambda form, main, arabic: changed(form, ticket=f"{TICKET} "), "malformed"),
    "half the ticket": (lambda form, main, arabic: changed(form, ticket=TICKET[:8]), "malformed"),
    "a field more": (lambda form, main, arabic: changed(form, bonus=10), "malformed"),
    "a field less": (lambda form, main, arabic: changed(form, **{main: ...}), "malformed"),
    "a translated field": (lambda form, main, arabic: renamed(form, main, arabic), "malformed"),
    "a field in capitals": (lambda form, main, arabic: renamed(form, main, main.upper()), "malformed"),
    "a field with a space": (lambda form, main, arabic: renamed(form, main, f"{main} "), "malformed"),
    "a field with a character nobody sees": (
        lambda form, main, arabic: renamed(form, main, f"{main[:2]}\u200b{main[2:]}"),
        "malformed",
    ),
    "a field in letters that look alike": (
        lambda form, main, arabic: renamed(form, main, main.translate(LOOKALIKES)),
        "malformed",
    ),
    "null for the answer": (lambda form, main, arabic: changed(form, **{main: None}), "malformed"),
    "a string for the answer": (lambda form, main, arabic: changed(form, **{main: "none"}), "malformed"),
    "a truth value for the answer": (lambda form, main, arabic: changed(form, **{main: True}), "malformed"),
    "an object for the answer": (lambda form, main, arabic: changed(form, **{main: {}}), "malformed"),
    "a list of nothings for the answer": (lambda form, main, arabic: changed(form, **{main: [None]}), "malformed"),
    "NaN for the answer": (lambda form, main, arabic: raw(form, main, "NaN"), "malformed"),
    "an ellipsis for the answer": (lambda form, main, arabic: raw(form, main, "..."), "malformed"),
    "an ellipsis in a list": (lambda form, main, arabic: raw(form, main, "[...]"), "malformed"),
    "nothing for the answer": (lambda form, main, arabic: raw(form, main, ""), "malformed"),
    "the answer said twice": (
        lambda form, main, arabic: f"{form.text[:-1]}, {dumped(main)}: {dumped(form.good[main])}}}",
        "malformed",
    ),
    "the ticket said twice": (
        lambda form, main, arabic: f'{form.text[:-1]}, "ticket": "{TICKET}"}}',
        "malformed",
    ),
    "a remark in the JSON": (
        lambda form, main, arabic: form.text.replace(", ", ", // as asked\n ", 1),
        "malformed",
    ),
    "typographic quotation marks": (lambda form, main, arabic: form.text.replace('"', "”"), "malformed"),
    "full-width braces": (
        lambda form, main, arabic: form.text.translate(str.maketrans("{}", "｛｝")),
        "malformed",
    ),
    "escaped quotation marks": (lambda form, main, arabic: form.text.replace('"', '\\"'), "truncated"),
    "as HTML": (lambda form, main, arabic: html.escape(form.text), "malformed"),
    "as part of an address": (lambda form, main, arabic: quote(form.text), "malformed"),
    "as base64": (lambda form, main, arabic: base64.b64encode(form.text.encode()).decode(), "malformed"),
    "as YAML": (lambda form, main, arabic: f"ticket: {TICKET}\n{main}: {form.good[main]!r}", "malformed"),
    "as XML": (lambda form, main, arabic: f"<answer><ticket>{TICKET}</ticket><{main}/></answer>", "malformed"),
    "as a table": (lambda form, main, arabic: f"| ticket | {main} |\n|---|---|\n| {TICKET} | 5 |", "malformed"),
    "as a difference": (
        lambda form, main, arabic: "\n".join(f"+ {line}" for line in dumped_in_lines(form).splitlines()),
        "malformed",
    ),
    "a null character": (lambda form, main, arabic: form.text.replace("The", "T\0he", 1) + "\0", "malformed"),
    "an escaped null character": (
        lambda form, main, arabic: form.text.replace(TICKET, f"{TICKET}\\u0000"),
        "malformed",
    ),
    "half a surrogate pair": (
        lambda form, main, arabic: form.text.replace(TICKET, f"{TICKET}\\ud800"),
        "malformed",
    ),
    "deep nesting": (lambda form, main, arabic: '{"a":' * 20_000 + "1" + "}" * 20_000, "malformed"),
    "half a megabyte of space": (lambda form, main, arabic: form.text + " " * 500_000, "malformed"),
    "another bracket at the end": (lambda form, main, arabic: f"{form.text[:-1]}]", "truncated"),
    "another answer begun": (lambda form, main, arabic: f"{form.text}\n{form.text[:20]}", "truncated"),
    "cut in a string": (lambda form, main, arabic: form.text[: form.text.index(TICKET) + 8], "truncated"),
    "cut behind a field": (lambda form, main, arabic: form.text[: form.text.index(main) - 1], "truncated"),
    "cut before the last brace": (lambda form, main, arabic: form.text[:-1], "truncated"),
    "cut in a fence": (lambda form, main, arabic: f"```json\n{form.text[:-1]}\n```", "truncated"),
    "thinking that does not end": (lambda form, main, arabic: f"<think>Let me see. {form.text}", "truncated"),
    **{f"a refusal in {language}": (saying(said), "refused") for language, said in REFUSALS.items()},
    "a refusal with characters nobody sees": (
        lambda form, main, arabic: "I am so\u200brry, I can\u200bnot as\u2060sist with this.",
        "refused",
    ),
}

# What stands beside a good text and makes it none.
SIGNS: dict[str, tuple[dict[str, Any], str]] = {
    "a good text cut by its length": ({"finish_reason": "length"}, "truncated"),
    "a good text held back by a filter": ({"finish_reason": "content_filter"}, "refused"),
    "a good text with a refusal": ({"refusal": "I must decline."}, "refused"),
    "a good text with a tool call": ({"has_tool_call": True}, "malformed"),
    "a good text of another model": ({"model": "gpt-4o"}, "failed"),
    "a good text of a sibling": ({"model": "simulated-2"}, "failed"),
    "a good text of nobody": ({"model": ""}, "failed"),
    "HTTP 200 with an error": ({"failure": "error_body"}, "failed"),
    "no answer in time": ({"failure": "timeout"}, "failed"),
}


def dumped_in_lines(form: Form) -> str:
    return json.dumps(form.answer(), ensure_ascii=False, indent=1)


# --- Defects of one kind ------------------------------------------------------------------------------


def of_spans() -> Iterator[tuple[str, str]]:
    form = FORMS["spans"]

    def one(**changes: Any) -> str:
        return changed(form, errors=[{k: v for k, v in {**ERROR, **changes}.items() if v is not ...}])

    for name in ERROR:
        yield f"an error without {name}", one(**{name: ...})
        yield f"an error with a list for {name}", one(**{name: ["x"]})
    yield "an error with a field more", one(score=1)
    yield "an error that is a string", changed(form, errors=["in May"])
    yield "an error and a string", changed(form, errors=[ERROR, "in May"])
    yield "Arabic digits for a number", one(occurrence="١")
    yield "a fraction for a number", one(occurrence=1.5)
    yield "a truth value for a number", one(occurrence=True)
    yield "a truth value for a correction", one(correction=False)
    yield "a type that there is not", one(type="grave")
    yield "a translated type", one(type="ثقافي")
    yield "a type with a character nobody sees", one(type="cul\u200btural")
    yield "a criticality in capitals", one(criticality="HIGH")
    yield "a category that there is not", one(category="places")
    yield "a category in letters that look alike", one(category="d\u0430tes")
    yield "no explanation", one(explanation=" \n")
    yield "an explanation of nothing but 5,000 letters", one(explanation="x" * 5000)
    yield "200 kB in a quote", one(quote="x" * 200_000)
    yield "words without a quote", one(quote="")
    yield "something missing with a quote", one(anchor="missing")
    yield "an anchor that there is not", one(anchor="word")
    yield "five thousand digits", one().replace('"occurrence": 1', '"occurrence": ' + "9" * 5000)
    yield "more errors than anybody would find", changed(form, errors=[ERROR] * 301)
    yield "errors by number", changed(form, errors={"1": ERROR})


def of_rubric() -> Iterator[tuple[str, str]]:
    form = FORMS["rubric"]
    first, second, third = VERDICTS

    def said(*verdicts: Any) -> str:
        return changed(form, verdicts=list(verdicts))

    def one(**changes: Any) -> str:
        return said({k: v for k, v in {**first, **changes}.items() if v is not ...}, second, third)

    yield "no criterion", said()
    yield "a criterion missing", said(first, third)
    yield "the errors missing", said(first, second)
    yield "a criterion more", said(*VERDICTS, {**second, "criterion": "c4"})
    yield "a criterion of number 0", said(*VERDICTS, {**second, "criterion": "c0"})
    yield "a criterion twice", said(*VERDICTS, second)
    yield "a criterion twice with two verdicts", said(*VERDICTS, {**second, "verdict": "PASS"})
    yield "a criterion twice and one missing", said(first, first, third)
    yield "a criterion in its own words", one(criterion=CRITERIA[0].text)
    yield "a criterion paraphrased", one(criterion="month is named")
    yield "a criterion translated", one(criterion="م١")
    yield "Arabic digits in a name", one(criterion="c١")
    yield "a name in capitals", one(criterion="C1")
    yield "a name in letters that look alike", one(criterion="с1")
    yield "a name with a character nobody sees", one(criterion="c\u200b1")
    yield "a number for a name", one(criterion=1)
    yield "the database's number for a name", one(criterion="71")
    yield "two names in one", one(criterion="c1, c2")
    for name in first:
        yield f"a verdict without {name}", one(**{name: ...})
        yield f"null for {name}", one(**{name: None})
    yield "a truth value for a verdict", one(verdict=True)
    yield "a string boolean for a verdict", one(verdict="true")
    yield "a number for a verdict", one(verdict=1)
    yield "4/5 for a verdict", one(verdict="4/5")
    yield "a verdict in small letters", one(verdict="pass")
    yield "a verdict in another form", one(verdict="PASSED")
    yield "a verdict between two", one(verdict="PARTIAL")
    yield "a verdict translated", one(verdict="نجاح")
    yield "a verdict with a character nobody sees", one(verdict="PA\u200bSS")
    yield "a verdict in letters that look alike", one(verdict="РASS")
    yield "two verdicts in one", one(verdict="PASS|FAIL")
    yield "a verdict of the other sort", one(verdict="NO_ERROR")
    yield "a positive verdict on an error", said(first, second, {**third, "verdict": "FAIL"})
    yield "no reason", one(justification=" ")
    yield "a reason of 200 kB", one(justification="x" * 200_000)
    yield "verdicts by name", changed(form, verdicts={"c1": "PASS", "c2": "FAIL", "c3": "NO_ERROR"})
    yield "verdicts in one word", changed(form, verdicts="all pass")
    yield "verdicts as words", said("PASS", "FAIL", "ERROR_PRESENT")
    yield "a list of lists", said([first], [second], [third])


# As they would stand in the text.
NO_GRADES = {
    "a word": '"four"',
    "a digit in quotation marks": '"4"',
    "of how many": '"4/5"',
    "of how many, bare": "4/5",
    "half a grade": "4.5",
    "a whole number with a fraction": "4.0",
    "with an exponent": "4e0",
    "Arabic digits": "٤",
    "Arabic digits in quotation marks": '"٤"',
    "Bengali digits": "৪",
    "full-width digits": "４",
    "a superscript": "⁴",
    "a Roman number": '"IV"',
    "True as a program writes it": "True",
    "a string boolean": '"false"',
    "below the scale": "0",
    "above the scale": "6",
    "minus": "-4",
    "a huge number": "4" * 40,
    "five thousand digits": "4" * 5000,
    "endless": "Infinity",
    "with a zero before it": "04",
    "with a plus": "+4",
    "about": "~4",
    "in percent": "80%",
    "one or the next": "3-4",
    "with a star": "4*",
    "a list": "[4]",
    "the label": '"Good"',
    "digit and label": '"4 - Good"',
    "with a character nobody sees": '"4\u200b"',
    "with a unit": "4 points",
}
NO_PREFERENCES = ["a", "first", "C", "", "A better", "TIE", "both", "أ", "А", "A\u200b", "A|B", 1, ["A"], "answer A"]


def of_ratings(name: str) -> Iterator[tuple[str, str]]:
    form = FORMS[name]
    main = MAIN[name][0]
    if name == "preference":
        for told in NO_PREFERENCES:
            yield f"{told!r} for a preference", changed(form, preference=told)
        yield "grades where a preference is asked for", dumped({"ticket": TICKET, **FORMS["pairwise"].good})
    else:
        for told, written in NO_GRADES.items():
            yield f"a grade, {told}", raw(form, main, written)
        other = FORMS["preference" if name == "pairwise" else "pairwise"]
        yield "another form of verdict", dumped({"ticket": TICKET, **other.good})
    yield "no reasoning", changed(form, reasoning=...)
    yield "empty reasoning", changed(form, reasoning=" ")
    yield "null for the reasoning", changed(form, reasoning=None)
    yield "reasoning in a list", changed(form, reasoning=["even"])
    yield "reasoning of 200 kB", changed(form, reasoning="x" * 200_000)


def of_groups() -> Iterator[tuple[str, str]]:
    form = FORMS["groups"]

    def issues(*numbers: Any, reason: Any = "Alike.") -> str:
        return changed(form, issues=[{"errors": each, "reason": reason} for each in numbers])

    yield "an error left out", issues([1, 2])
    yield "all errors left out", issues()
    yield "an error in two issues", issues([1, 2], [2, 3])
    yield "an error twice in one", issues([1, 1], [2], [3])
    yield "an error more", issues([1, 2], [3], [4])
    yield "an error of number 0", issues([0, 1, 2], [3])
    yield "the database's numbers", issues([11, 12], [13])
    yield "a negative number", issues([1, 2, 3], [-1])
    yield "an issue without errors", issues([1, 2, 3], [])
    yield "no reason", issues([1, 2], [3], reason=" ")
    yield "null for a reason", issues([1, 2], [3], reason=None)
    yield "a reason of 200 kB", issues([1, 2], [3], reason="x" * 200_000)
    yield "numbers in quotation marks", issues(["1", "2"], ["3"])
    yield "Arabic digits", issues(["١", "٢"], ["٣"])
    yield "truth values for numbers", issues([True, 2], [3])
    yield "fractions", issues([1.0, 2], [3])
    yield "numbers in a string", issues("1, 2", [3])
    yield "a range", issues(["1-3"])
    yield "issues by number", changed(form, issues={"1": [1, 2, 3]})
    yield "issues as lists", changed(form, issues=[[1, 2], [3]])
    yield "an issue without its reason", changed(form, issues=[{"errors": [1, 2, 3]}])
    yield "an issue with a field more", changed(form, issues=[{**ISSUES[0], "verdict": "keep"}, ISSUES[1]])
    yield "the errors in their words", issues(["in May", "opens in May"], ["The fair"])


def of_categories() -> Iterator[tuple[str, str]]:
    form = FORMS["categories"]
    for told in ("Dates", "dates ", "da\u200btes", "d\u0430tes", "date", "تواريخ", "dates|food", "", 1, ["dates"]):
        yield f"{told!r} for a category", changed(form, category=told)
    yield "a category that there is not", changed(form, category="places")
    yield "no reason", changed(form, reason=" ")
    yield "reason left out", changed(form, reason=...)
    yield "a number for a reason", changed(form, reason=4)
    yield "a reason of 200 kB", changed(form, reason="x" * 200_000)
    yield "a confidence beside it", changed(form, confidence=0.9)


def of_reasons(form: Form) -> Iterator[tuple[str, str]]:
    yield "no reason", changed(form, reason=" ")
    yield "reason left out", changed(form, reason=...)
    yield "null for a reason", changed(form, reason=None)
    yield "a number for a reason", changed(form, reason=4)
    yield "a reason of 200 kB", changed(form, reason="x" * 200_000)
    yield "a confidence beside it", changed(form, confidence=0.9)


def of_sentences() -> Iterator[tuple[str, str]]:
    form = FORMS["sentences"]
    for told in ("error", "True", "ERR\u200bOR", "\u0415RROR", "ERROR|NO_ERROR", "خطأ", "", 1, ["ERROR"]):
        yield f"{told!r} for a verdict", changed(form, sentence=told)
    yield "an error without its category", changed(form, category=None)
    yield "a category without an error", changed(form, sentence="NO_ERROR")
    yield "a category that there is not", changed(form, category="places")
    yield "the category left out", changed(form, category=...)
    yield from of_reasons(form)


def of_same_issue() -> Iterator[tuple[str, str]]:
    form = FORMS["same_issue"]
    for told in (
        "same",
        "SAME ",
        "yes",
        "S\u0410ME",
        "SAME|DIFFERENT",
        "DIFFERENT or SAME",
        "",
        1,
        ["SAME"],
    ):
        yield f"{told!r} for a verdict", changed(form, same_issue=told)
    yield "issues for a verdict", renamed(form, "same_issue", "issues")
    yield from of_reasons(form)


def of_refinement() -> Iterator[tuple[str, str]]:
    form = FORMS["refinement"]
    yield "words that do not stand there", changed(form, quote="in August")
    yield "words of which there are two", changed(form, quote="The fair", occurrence=None)
    yield "a third of two", changed(form, quote="The fair", occurrence=3)
    yield "words that lie elsewhere", changed(form, quote="closes in June")
    yield "part of a character beside it", changed(form, quote="May\u0301")
    yield "a place in words", changed(form, occurrence="first")
    yield "half a place", changed(form, occurrence=1.5)
    yield "offsets for words", changed(form, quote=[18, 21])
    yield "a list of explanations", changed(form, explanation=["April."])
    yield "an explanation of 200 kB", changed(form, explanation="x" * 200_000)
    yield "the explanation left out", changed(form, explanation=...)
    yield "a reason for an explanation", renamed(form, "explanation", "reason")
    yield "a confidence beside it", changed(form, confidence=0.9)


NO_SCORES = {
    "half a point": "7.5",
    "a whole number as a fraction": "7.0",
    "in quotation marks": '"7"',
    "of ten": '"7/10"',
    "in Arabic digits": '"٧"',
    "below the scale": "-1",
    "above the scale": "11",
    "a hundred": "100",
    "with a zero before it": "07",
    "with a plus": "+7",
    "endless": "Infinity",
    "five thousand digits": "7" * 5000,
    "a list": "[7]",
    "with its unit": '"7 points"',
}


def of_reference() -> Iterator[tuple[str, str]]:
    form = FORMS["reference"]
    for told, written in NO_SCORES.items():
        yield f"a score, {told}", raw(form, "score", written)
    yield "no reason", changed(form, reason=" ")
    yield "reason left out", changed(form, reason=...)
    yield "null for a reason", changed(form, reason=None)
    yield "a reason of 200 kB", changed(form, reason="x" * 200_000)
    yield "a grade for a score", renamed(form, "score", "grade")
    yield "a confidence beside it", changed(form, confidence=0.9)


def of_editing() -> Iterator[tuple[str, str]]:
    form = FORMS["editing"]
    for told in ("", " \n", 7, 4.5, ["A text."], {"text": "A text."}):
        yield f"{told!r} for a text", changed(form, text=told)
    yield "the marks in the text", changed(form, text=f"<<<answer {TICKET}>>> The fair.")
    yield "a reason beside it", changed(form, reason="Grammar.")


#: By part of `ASK`, values that none of them takes.
NO_ANSWERS: dict[str, tuple[Any, ...]] = {
    "right": (None, "yes", "YES", "Yes ", "نعم", "Yes\u200b", 0, True, ["Yes"], {"Yes": 1}, ""),
    "wrong": (None, "Facts", ["facts"], ["Facts", "Style"], ["Facts", "Facts"], [0], [None], {"Facts": True}),
    "good": (None, "4", "4/5", 4.5, True, 0, 6, "٤", [4], 10**400),
    "count": (None, "2", -1, 10, True, [2], {"value": 2}),
    "why": (7, True, ["The month."], "x" * 5000),
    "rank": (
        None,
        ["A", "B"],
        {"A": 1},
        {"A": 1, "B": 1},
        {"A": 1, "B": 3},
        {"A": 1, "B": 2, "C": 3},
        {"a": 1, "b": 2},
    ),
}


def of_questionnaire(name: str) -> Iterator[tuple[str, str]]:
    """Of a prompt alone nothing can be ranked: who ranks answers has answered what was not asked."""
    form = FORMS[name]
    good: dict[str, Any] = form.good["answers"]
    for key in good:
        for number, value in enumerate(NO_ANSWERS[key]):
            yield f"{key}, {number}", changed(form, answers={**good, key: value})
        yield f"{key} left out", changed(form, answers={k: v for k, v in good.items() if k != key})
        yield f"{key} in capitals", changed(form, answers={k.upper() if k == key else k: v for k, v in good.items()})
    yield "a fraction of a rank", changed(form, answers={**good, "rank": {"A": 1.5, "B": 1}})
    if name == "prompt_alone":
        yield "a ranking of nothing", changed(form, answers={**good, "rank": {}})
    yield "a whole grade as a fraction", changed(form, answers={**good, "good": 4.0})
    yield "one more part", changed(form, answers={**good, "bonus": 5})
    yield "the answers beside each other", dumped({"ticket": TICKET, "reasoning": "So.", **good})
    yield "the answers as a list", changed(form, answers=list(good.values()))
    yield "no reasoning", changed(form, reasoning=" ")
    yield "reasoning left out", changed(form, reasoning=...)
    yield "a reasoning of 200 kB", changed(form, reasoning="x" * 200_000)


OF_KIND: dict[str, Callable[[], Iterator[tuple[str, str]]]] = {
    "spans": of_spans,
    "sentences": of_sentences,
    "rubric": of_rubric,
    "pointwise": lambda: of_ratings("pointwise"),
    "pairwise": lambda: of_ratings("pairwise"),
    "preference": lambda: of_ratings("preference"),
    "groups": of_groups,
    "categories": of_categories,
    "refinement": of_refinement,
    "same_issue": of_same_issue,
    "reference": of_reference,
    "editing": of_editing,
    "questionnaire": lambda: of_questionnaire("questionnaire"),
    "prompt_alone": lambda: of_questionnaire("prompt_alone"),
}


# An edited text may be any, also one that mending had to put in quotation marks.
NO_DEFECTS = {("editing", "a string for the answer"), ("editing", "NaN for the answer")}


def never_answers() -> list[Case]:
    """Every output that must not count, of every form."""
    cases = []
    for name, form in FORMS.items():
        for defect, (make, state) in DEFECTS.items():
            if (name, defect) not in NO_DEFECTS:
                cases.append(Case(name, defect, make(form, *MAIN[name]), state))
        for sign, (fields, state) in SIGNS.items():
            cases.append(Case(name, sign, form.text, state, fields))
        cases += [Case(name, defect, text, "malformed") for defect, text in OF_KIND[name]()]
    return cases


# --- What looks like a defect and is none -------------------------------------------------------------

HARMLESS: dict[str, tuple[Callable[[Form], str], str]] = {
    "as it is": (lambda form: form.text, "scored"),
    "in ASCII": (lambda form: json.dumps(form.answer()), "scored"),
    "over many lines": (lambda form: json.dumps(form.answer(), indent=4), "scored"),
    "without a space": (lambda form: json.dumps(form.answer(), separators=(",", ":")), "scored"),
    "its fields in another order": (lambda form: dumped(dict(reversed(form.answer().items()))), "scored"),
    "in a fence": (lambda form: f"```json\n{form.text}\n```", "scored"),
    "in a fence of capitals": (lambda form: f"```JSON\n{form.text}\n```", "scored"),
    "introduced": (lambda form: f"Here is my answer:\n{form.text}", "scored"),
    "with a word behind it": (lambda form: f"{form.text}\n\nI hope that this helps!", "scored"),
    "introduced in Arabic": (lambda form: f"\u200fإليك الإجابة:\n{form.text}", "scored"),
    "behind thinking": (lambda form: f"<think>Is it {{well}}?</think>\n{form.text}", "scored"),
    "behind a byte order mark": (lambda form: f"\ufeff{form.text}", "scored"),
    "between line ends": (lambda form: f"\r\n\r\n{form.text}\r\n", "scored"),
    "with a trailing comma": (lambda form: f"{form.text[:-1]},}}", "repaired"),
    "with a trailing comma in a fence": (lambda form: f"```\n{form.text[:-1]},\n}}\n```", "repaired"),
    "in single quotation marks": (
        lambda form: json.dumps(form.answer()).replace('"', "'"),
        "repaired",
    ),
}


def still_answers() -> list[Case]:
    """Every output that must count, with what each kind reads from its answer as it is."""
    cases = [
        Case(name, way, make(form), state) for name, form in FORMS.items() for way, (make, state) in HARMLESS.items()
    ]
    reordered = [VERDICTS[2], VERDICTS[0], VERDICTS[1]]
    cases.append(Case("rubric", "criteria in another order", changed(FORMS["rubric"], verdicts=reordered), "scored"))
    turned = [{**issue, "errors": issue["errors"][::-1]} for issue in ISSUES]
    cases.append(Case("groups", "errors in another order", changed(FORMS["groups"], issues=turned), "scored"))
    as_python = FORMS["spans"].text.replace('"in April"', "None")
    cases.append(Case("spans", "None as a program writes it", as_python, "repaired"))
    for name, form in FORMS.items():
        told = {"model": "simulated-1", "finish_reason": "stop"}
        without_usage = {**told, "prompt_tokens": None, "completion_tokens": None}
        cases.append(Case(name, "no usage", form.text, "scored", without_usage))
        cases.append(Case(name, "another word for its end", form.text, "scored", {**told, "finish_reason": "eos"}))
        cases.append(Case(name, "a dated name of the model", form.text, "scored", {"model": "simulated-1-2026-05-01"}))
    return cases
