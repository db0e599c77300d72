"""Pointwise rating: a judge grades one response by a question type, after its reasoning and apart from it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judging.kinds import Material, Pass, ShownExample, ShownQuestion, Unit, UnitAnswer, Units, number_of, ratings
from judging.kinds.examples import rule_parts, seeded
from judging.kinds.forms import check_keys, check_ticket, closed
from judging.kinds.questions import aspect, grade_of, part_of, question_types
from judging.kinds.ratings import QUESTION, Drawn, check_grade, check_reasoning, named
from judging.models import Judge
from judging.prompts import PromptText, fill, templates_of
from projects.among import Among
from projects.models import Response

VERSION = "v1"


class Pointwise(ratings.TakenBack):
    kind = "pointwise"
    area = ""
    is_usual = False
    name = gettext_lazy("Grades responses one by one")
    idle = gettext_lazy(
        "No response waits for this judge: they were graded, or their question types ask for a preference alone, or "
        "there are no examples to show it."
    )
    withheld = ""
    not_ready = gettext_lazy("responses that cannot be asked about yet")
    is_stored_whole = False
    gone = "rated_gone"

    def prompt_text(self, judge: Judge) -> PromptText:
        """With every question type that has a scale, and the form of its answer under its id."""
        is_few = ratings.is_few_shot(judge)
        questions = [question for question in question_types(judge.project_id) if question.has_scale]
        templates = templates_of(judge, self.kind, VERSION)
        parts = {part: templates[part] for part in ("system", "question")}
        parts |= {part: templates[part] if is_few else "" for part in ("example", "examples")}
        parts |= rule_parts(judge) if is_few else {}
        parts |= {part_of(each.pk): aspect(each, ratings.has_rubric(judge), templates) for each in questions}
        text = {"type": "string"}
        schemas = {
            str(each.pk): closed({"ticket": text, "reasoning": text, "grade": grade_of(each)}) for each in questions
        }
        return PromptText(f"{self.kind}/{ratings.setting_of(judge)}", templates.version, parts, schemas)

    def answered(self, judge: Judge, round: int) -> set[int]:
        return set()  # a response can be asked about by several question types: `units` leaves out what was answered

    def units(self, over: Pass, texts: Mapping[int, str]) -> Units:
        """One for each question type with a scale that a response is rated on."""
        asked, pool = ratings.asked_in(over), ratings.pool_for(over, of_pairs=False)
        have = ratings.already(over.judge, over.round, (), texts)
        drawn = Drawn()
        rows = Response.objects.filter(pk__in=Among(texts)).order_by("pk").values_list("pk", "prompt__question_id")
        for response, question_of_prompt in rows:
            questions = [question for question in asked.on(question_of_prompt) if question.has_scale]
            if not questions:
                drawn.lacks(response, _("questions that ask for a preference alone"))
            for question in questions:
                if (None, response, question.pk, False) in have:
                    drawn.answered += 1
                    continue
                about = (named(QUESTION, question.pk),)
                examples: list[str] = []
                if pool is not None:
                    examples, part = pool.draw(question, seeded(over.judge, f"{response} {question.pk}"), response)
                    if part:
                        drawn.lacks(response, ratings.no_example(question, part))
                        continue
                drawn.of_response[response].append(Unit(number_of(about), (*about, *examples)))
        return Units(drawn.of_response, 0, len(drawn.lacking), drawn.reasons, drawn.answered)

    def subjects(self, ids: Collection[Any]) -> Mapping[Any, Any]:
        return ratings.subjects(ids)

    def material(self, bare: Material, found: Sequence[Any], target: str, prompt: PromptText) -> Material:
        question = next((each for each in found if isinstance(each, ShownQuestion)), None)
        return replace(bare, question=question, examples=tuple(e for e in found if isinstance(e, ShownExample)))

    def schema(self, prompt: PromptText, material: Material) -> dict[str, Any]:
        assert material.question is not None
        return prompt.schema[str(material.question.id)]

    def messages(self, prompt: PromptText, material: Material, unit: int, nonce: str) -> list[dict[str, str]]:
        assert material.question is not None
        parts = prompt.parts
        fixed = {
            "language": material.language,
            "aspect": parts[part_of(material.question.id)],
            "how_to_use_examples": parts["examples"],
        }
        shown = {
            "nonce": nonce,
            "examples": "".join(
                self.example(parts["example"], n, e, nonce) for n, e in enumerate(material.examples, 1)
            ),
            "prompt": material.prompt,
            "response": material.response,
        }
        return [
            {"role": "system", "content": fill(parts["system"], fixed)},
            {"role": "user", "content": fill(parts["question"], shown)},
        ]

    def example(self, template: str, number: int, example: ShownExample, nonce: str) -> str:
        told = {
            "number": str(number),
            "language": example.language,
            "prompt": example.prompt,
            "response": example.responses[0],
            "grade": str(example.grades[0]),
            "nonce": nonce,
        }
        return fill(template, told)

    def read(
        self, value: Mapping[str, Any], prompt: PromptText, material: Material, unit: int, nonce: str
    ) -> dict[str, Any]:
        form = self.schema(prompt, material)["properties"]
        check_keys(value, form)
        check_ticket(value, nonce)
        reasoning = check_reasoning(value["reasoning"])
        return {"reasoning": reasoning, "grade": check_grade("grade", value["grade"], form["grade"])}

    def store(self, judge: Judge, round: int, answered: Mapping[int, Sequence[UnitAnswer]], metadata: dict) -> int:
        told = [(response, answer) for response, answers in answered.items() for answer in answers]
        return ratings.store(judge, round, told, metadata, both_orders=False)

    def withdraw(self, judge: Judge, round: int, responses: Collection[int]) -> set[int]:
        ratings.withdraw(judge, round, responses)
        return set()
