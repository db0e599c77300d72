"""Pairwise rating: a judge sees two responses side by side and grades both, in one order or in both.

A call stands under the response that it shows first, as answer A; so a pair judged in both orders has two calls.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.db.models import Q
from django.utils.translation import gettext_lazy

from judging.kinds import (
    Material,
    Pass,
    ShownExample,
    ShownQuestion,
    Unit,
    Units,
    WrongAnswer,
    number_of,
    ratings,
)
from judging.kinds.examples import seeded
from judging.kinds.explained import EXPLAINED
from judging.kinds.forms import check_keys, check_ticket, closed
from judging.kinds.options import EXAMPLES_SEED, ORDERS, RUBRIC, SHOTS
from judging.kinds.questions import PREFERENCES, aspect, grade_of, part_of, question_types, words_of
from judging.kinds.ratings import OTHER, PAIR, QUESTION, Drawn, OtherResponse, check_grade, check_reasoning, named
from judging.models import Judge, Orders
from judging.prompts import PromptText, chat, fill, templates_of
from judging.prompts.published import WHOLE
from projects.among import Among
from projects.laboratories import laboratory_slug
from projects.models import QuestionType, ResponsePair

VERSION = "v1"
PHRASES = ("grades", "a_preference", "graded", "preferred_first", "preferred_second")


class PairRow(NamedTuple):
    id: int
    key: str
    question: int | None
    first: int
    first_model: str
    first_laboratory: str
    second: int
    second_model: str
    second_laboratory: str

    def sides(self) -> tuple[tuple[int, int, str, str, bool], ...]:
        """(shown first, shown second, model and laboratory of that one, swapped), in both orders."""
        return (
            (self.first, self.second, self.second_model, self.second_laboratory, False),
            (self.second, self.first, self.first_model, self.first_laboratory, True),
        )


COLUMNS = (
    "pk",
    "key",
    "prompt__question_id",
    "first_id",
    "first__target_model__name",
    laboratory_slug("first__target_model"),
    "second_id",
    "second__target_model__name",
    laboratory_slug("second__target_model"),
)


def is_both_orders(judge: Judge) -> bool:
    return ORDERS.of(judge) == Orders.BOTH


def is_drawn_swapped(pair: str) -> bool:
    """The one order of a pair for a judge that sees but one: by a hash of the pair's id, so half are swapped."""
    return bool(hashlib.sha256(pair.encode()).digest()[0] & 1)


class Pairwise(ratings.RatingKind):
    kind = "pairwise"
    is_usual = True
    options = (SHOTS, EXAMPLES_SEED, RUBRIC, ORDERS, EXPLAINED)
    name = gettext_lazy("Grades responses two by two")
    idle = gettext_lazy(
        "No pair waits for this judge: there are none, or they were graded, or there are no examples to show it, or "
        "its own laboratory wrote one of the two."
    )
    withheld = gettext_lazy("orders of pairs whose other response is of the judge's own laboratory")
    not_ready = gettext_lazy("responses that stand in no pair, or cannot be asked about yet")

    def prompt_text(self, judge: Judge) -> PromptText:
        """With every question type, and the form of its answer under its id: grades, or a preference."""
        is_few = ratings.is_few_shot(judge)
        questions = question_types(judge.project_id)
        names = ("system", "question", "grades", "preference", "how_to_grade", "how_to_prefer")
        templates = templates_of(judge, self.kind, VERSION)
        parts = {part: templates[part] for part in names}
        parts |= {part: templates[part] if is_few else "" for part in ("example", "examples")}
        parts |= ratings.rule_kept(judge)
        parts |= {
            part_of(question.slug): aspect(question, ratings.has_rubric(judge), templates) for question in questions
        }
        parts |= templates.phrases(*PHRASES) | templates.explained | templates.published
        schemas = {question.slug: form_of(question) for question in questions}
        return PromptText(f"{self.kind}/{ratings.setting_of(judge)}", templates.version, parts, schemas)

    def units(self, over: Pass, texts: Mapping[int, str]) -> Units:
        """One for each pair that a response stands first in, and each question type that the pair is rated on."""
        asked, pool = ratings.asked_in(over), ratings.pool_for(over, of_pairs=True)
        in_pairs = ResponsePair.objects.filter(Q(first__in=Among(texts)) | Q(second__in=Among(texts))).order_by("pk")
        pairs = [PairRow._make(row) for row in in_pairs.values_list(*COLUMNS)]
        have = ratings.already(over.judge, over.round, [pair.id for pair in pairs], ())
        planned, both = Drawn(), is_both_orders(over.judge)
        paired: set[int] = set()
        for pair in pairs:
            for response, other, model, laboratory, is_swapped in pair.sides():
                if response not in texts:
                    continue
                paired.add(response)
                if not both and is_swapped != is_drawn_swapped(pair.key):
                    continue
                if over.guard.forbids(model, laboratory):
                    planned.withheld += 1
                    continue
                for question in asked.on(pair.question):
                    if (pair.id, None, question.pk, is_swapped) in have:
                        planned.answered += 1
                        continue
                    about = (named(QUESTION, question.pk), named(PAIR, pair.id))
                    examples: list[str] = []
                    if pool is not None:
                        examples, part = pool.draw(question, seeded(over.judge, f"{pair.key} {question.pk}"), response)
                        if part:
                            planned.lacks(response, ratings.no_example(question, part))
                            continue
                    unit = Unit(number_of(about), (*about, named(OTHER, other), *examples))
                    planned.of_response[response].append(unit)
        alone = len(texts.keys() - paired)
        return Units(
            planned.of_response, planned.withheld, alone + len(planned.lacking), planned.reasons, planned.answered
        )

    def material(self, bare: Material, subjects: Sequence[Any], target: str, prompt: PromptText) -> Material:
        question = next((subject for subject in subjects if isinstance(subject, ShownQuestion)), None)
        other = next((subject.text for subject in subjects if isinstance(subject, OtherResponse)), "")
        examples = tuple(subject for subject in subjects if isinstance(subject, ShownExample))
        return replace(bare, other=other, question=question, examples=examples)

    def messages(self, prompt: PromptText, material: Material, unit: int, nonce: str) -> list[dict[str, str]]:
        assert material.question is not None
        parts = prompt.parts
        if prompt.answer_form:
            aspect_of = words_of(prompt, material.question)
            texts = {"prompt": material.prompt, "response": material.response, "other": material.other}
            return prompt.word_for_word({**texts, "language": material.language, "aspect": aspect_of})
        is_graded = "grade_a" in self.schema(prompt, material)["properties"]
        languages = prompt.languages(material.language)
        fixed = {
            **languages,
            "aspect": words_of(prompt, material.question),
            "decision": prompt.phrase("grades" if is_graded else "a_preference"),
            "how_to_choose": parts["how_to_grade" if is_graded else "how_to_prefer"],
            "how_to_use_examples": parts["examples"],
            "form": fill(parts["grades" if is_graded else "preference"], languages).rstrip("\n"),
        }
        shown = {
            "nonce": nonce,
            "examples": "".join(self.example(prompt, n, e, nonce) for n, e in enumerate(material.examples, 1)),
            "prompt": material.prompt,
            "response": material.response,
            "other": material.other,
        }
        return chat(fill(parts["system"], fixed), fill(parts["question"], shown))

    def example(self, prompt: PromptText, number: int, example: ShownExample, nonce: str) -> str:
        if example.grades:
            first, second = example.grades
            verdict = fill(prompt.phrase("graded"), {"first": str(first), "second": str(second)})
        else:
            verdict = prompt.phrase(f"preferred_{example.preference}")
        values = {
            "number": str(number),
            "language": example.language,
            "prompt": example.prompt,
            "response": example.responses[0],
            "other": example.responses[1],
            "verdict": verdict,
            "nonce": nonce,
        }
        return fill(prompt.parts["example"], values)

    def read(
        self, value: Mapping[str, Any], prompt: PromptText, material: Material, unit: int, nonce: str
    ) -> dict[str, Any]:
        """Grades of what was shown first and second, or which of them is better: "first", "second" or "tie"."""
        form = self.schema(prompt, material)["properties"]
        check_keys(value, form)
        check_ticket(value, nonce)
        reasoning = check_reasoning(value["reasoning"])
        if "preference" in form:
            preference = value["preference"]
            if not isinstance(preference, str):
                raise WrongAnswer("wrong_type", "preference")
            if preference not in PREFERENCES:
                raise WrongAnswer("unknown_value", "preference")
            return {"reasoning": reasoning, "preference": PREFERENCES[preference]}
        grades = {name: check_grade(name, value[name], form[name]) for name in ("grade_a", "grade_b")}
        return {"reasoning": reasoning, **grades}

    def read_plain(self, answer: Any, prompt: PromptText, material: Material, unit: int) -> dict[str, Any]:
        """A preference (A, B, tie; C as MT-Bench has it) or two grades, of what was shown first and of the other."""
        form = self.schema(prompt, material)["properties"]
        if "preference" in form:
            said = "tie" if answer == "C" else answer
            if not isinstance(said, str) or said not in PREFERENCES:
                raise WrongAnswer("unknown_value", "preference")
            return {"reasoning": "", "preference": PREFERENCES[said]}
        if isinstance(answer, str):
            words = [each.strip(" ") for each in answer.split(",")]
            if not all(WHOLE.fullmatch(each) for each in words):
                raise WrongAnswer("wrong_type", "grade")
            answer = [int(each) for each in words]
        if len(answer) != 2:
            raise WrongAnswer("wrong_type", "grade")
        names = ("grade_a", "grade_b")
        grades = {name: check_grade(name, said, form[name]) for name, said in zip(names, answer, strict=True)}
        return {"reasoning": "", **grades}

    def is_of_both_orders(self, judge: Judge) -> bool:
        return is_both_orders(judge)


def form_of(question: QuestionType) -> dict[str, Any]:
    """JSON Schema of the answer: grades of both, or a preference where the question type has no scale."""
    text = {"type": "string"}
    if not question.has_scale:
        return closed({"ticket": text, "reasoning": text, "preference": {"type": "string", "enum": list(PREFERENCES)}})
    grade = grade_of(question)
    return closed({"ticket": text, "reasoning": text, "grade_a": grade, "grade_b": grade})
