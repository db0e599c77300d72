"""Pointwise rating: a judge grades one response by a question type, after its reasoning and apart from it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judging.kinds import Material, Pass, ShownExample, ShownQuestion, Unit, Units, WrongAnswer, number_of, ratings
from judging.kinds.examples import seeded
from judging.kinds.explained import EXPLAINED
from judging.kinds.forms import check_keys, check_ticket, closed
from judging.kinds.options import EXAMPLES_SEED, RUBRIC, SHOTS
from judging.kinds.questions import aspect, grade_of, part_of, question_types, words_of
from judging.kinds.ratings import QUESTION, Drawn, check_grade, check_reasoning, named
from judging.models import Judge
from judging.prompts import PromptText, chat, fill, templates_of
from judging.prompts.published import WHOLE
from projects.among import Among
from projects.models import Response

VERSION = "v1"


class Pointwise(ratings.RatingKind):
    kind = "pointwise"
    options = (SHOTS, EXAMPLES_SEED, RUBRIC, EXPLAINED)
    name = gettext_lazy("Grades responses one by one")
    idle = gettext_lazy(
        "No response waits for this judge: they were graded, or their question types ask for a preference alone, or "
        "there are no examples to show it."
    )
    not_ready = gettext_lazy("responses that cannot be asked about yet")

    def prompt_text(self, judge: Judge) -> PromptText:
        """With every question type that has a scale, and the form of its answer under its id."""
        is_few = ratings.is_few_shot(judge)
        questions = [question for question in question_types(judge.project_id) if question.has_scale]
        templates = templates_of(judge, self.kind, VERSION)
        parts = {part: templates[part] for part in ("system", "question")}
        parts |= {part: templates[part] if is_few else "" for part in ("example", "examples")}
        parts |= ratings.rule_kept(judge)
        parts |= {
            part_of(question.slug): aspect(question, ratings.has_rubric(judge), templates) for question in questions
        }
        text = {"type": "string"}
        schemas = {
            question.slug: closed({"ticket": text, "reasoning": text, "grade": grade_of(question)})
            for question in questions
        }
        parts |= templates.published | templates.explained
        return PromptText(f"{self.kind}/{ratings.setting_of(judge)}", templates.version, parts, schemas)

    def units(self, over: Pass, texts: Mapping[int, str]) -> Units:
        """One for each question type with a scale that a response is rated on."""
        asked, pool = ratings.asked_in(over), ratings.pool_for(over, of_pairs=False)
        have = ratings.already(over.judge, over.round, (), texts)
        planned = Drawn()
        rows = Response.objects.filter(pk__in=Among(texts)).order_by("pk").values_list("pk", "prompt__question_id")
        for response, question_of_prompt in rows:
            questions = [question for question in asked.on(question_of_prompt) if question.has_scale]
            if not questions:
                planned.lacks(response, _("questions that ask for a preference alone"))
            for question in questions:
                if (None, response, question.pk, False) in have:
                    planned.answered += 1
                    continue
                about = (named(QUESTION, question.pk),)
                examples: list[str] = []
                if pool is not None:
                    examples, part = pool.draw(question, seeded(over.judge, f"{response} {question.pk}"), response)
                    if part:
                        planned.lacks(response, ratings.no_example(question, part))
                        continue
                planned.of_response[response].append(Unit(number_of(about), (*about, *examples)))
        return Units(planned.of_response, 0, len(planned.lacking), planned.reasons, planned.answered)

    def material(self, bare: Material, subjects: Sequence[Any], target: str, prompt: PromptText) -> Material:
        question = next((subject for subject in subjects if isinstance(subject, ShownQuestion)), None)
        return replace(
            bare,
            question=question,
            examples=tuple(subject for subject in subjects if isinstance(subject, ShownExample)),
        )

    def messages(self, prompt: PromptText, material: Material, unit: int, nonce: str) -> list[dict[str, str]]:
        assert material.question is not None
        parts = prompt.parts
        if prompt.answer_form:
            aspect_of = words_of(prompt, material.question)
            texts = {"prompt": material.prompt, "response": material.response, "language": material.language}
            return prompt.word_for_word({**texts, "aspect": aspect_of})
        fixed = {
            **prompt.languages(material.language),
            "aspect": words_of(prompt, material.question),
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
        return chat(fill(parts["system"], fixed), fill(parts["question"], shown))

    def example(self, template: str, number: int, example: ShownExample, nonce: str) -> str:
        values = {
            "number": str(number),
            "language": example.language,
            "prompt": example.prompt,
            "response": example.responses[0],
            "grade": str(example.grades[0]),
            "nonce": nonce,
        }
        return fill(template, values)

    def read(
        self, value: Mapping[str, Any], prompt: PromptText, material: Material, unit: int, nonce: str
    ) -> dict[str, Any]:
        form = self.schema(prompt, material)["properties"]
        check_keys(value, form)
        check_ticket(value, nonce)
        reasoning = check_reasoning(value["reasoning"])
        return {"reasoning": reasoning, "grade": check_grade("grade", value["grade"], form["grade"])}

    def read_plain(self, answer: Any, prompt: PromptText, material: Material, unit: int) -> dict[str, Any]:
        """A grade without a reasoning: in tags the digits of a number."""
        form = self.schema(prompt, material)["properties"]
        if isinstance(answer, str):
            if not WHOLE.fullmatch(answer):
                raise WrongAnswer("wrong_type", "grade")
            answer = int(answer)
        return {"reasoning": "", "grade": check_grade("grade", answer, form["grade"])}
