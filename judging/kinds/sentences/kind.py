"""Sentence classification: is this sentence erroneous, seen in its response; and of which category its error is.

JuICE, appendix E.2: question, whole response and one sentence are shown, and the judge says whether the sentence holds
any error. Sentences are those of `agreement.sentences`, by which the figures count them too.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext_lazy as _

from agreement.sentences import sentences
from annotation.models import ErrorCategory
from judging.kinds import Material, Pass, Unit, Units, Way, WrongAnswer
from judging.kinds.explained import EXPLAINED
from judging.kinds.forms import check_answer, closed
from judging.kinds.kept_in_calls import KeptInCalls
from judging.kinds.options import TAXONOMY
from judging.kinds.taxonomy import listed
from judging.models import Judge
from judging.prompts import PromptText, chat, fill, templates_of

VERSION = "v1"
ERROR, NO_ERROR = "ERROR", "NO_ERROR"


def schema(categories: Sequence[str]) -> dict[str, Any]:
    """JSON Schema of an answer. A category is asked for where there are any; it is null where there is no error."""
    verdict = {"type": "string", "enum": [ERROR, NO_ERROR]}
    fields: dict[str, Any] = {"ticket": {"type": "string"}, "reason": {"type": "string"}, "sentence": verdict}
    if categories:
        fields["category"] = {"type": ["string", "null"], "enum": [*categories, None]}
    return closed(fields)


# A response is cut once for all its sentences: their calls follow each other.
@lru_cache(maxsize=256)
def bounds(text: str) -> tuple[tuple[int, int], ...]:
    """Start and end of each sentence, in code points."""
    cut = sentences(text)
    return tuple(zip(cut.starts.tolist(), cut.ends.tolist(), strict=True))


class Sentences(KeptInCalls):
    kind = "sentences"
    name = _("Sentences with an error")
    options = (TAXONOMY, EXPLAINED)
    ways = (Way(_("Error or not"), {}), Way(_("With the category of the error"), {"with_taxonomy": True}))
    unit_label = _("sentence %(number)s")

    def prompt_text(self, judge: Judge) -> PromptText:
        offered = ErrorCategory.objects.offered().filter(project=judge.project_id)
        categories = list(offered) if TAXONOMY.of(judge) else []
        templates = templates_of(judge, self.kind, VERSION)
        parts = {part: templates[part] for part in ("system", "question")} | {"taxonomy": "", "category_field": ""}
        if categories:
            categories_listed = listed(categories, templates.phrase("example"))
            parts["taxonomy"] = fill(templates["taxonomy"], {"categories": categories_listed})
            parts["category_field"] = ', "category": "..."'
        parts |= templates.published | templates.explained
        name = f"{self.kind}{'/taxonomy' if categories else ''}"
        return PromptText(name, templates.version, parts, schema([category.slug for category in categories]))

    def units(self, over: Pass, texts: Mapping[int, str]) -> Units:
        """Sentences, numbered from 0."""
        return Units({pk: [Unit(number) for number in range(len(bounds(text)))] for pk, text in texts.items()})

    def material(self, bare: Material, subjects: Sequence[Any], target: str, prompt: PromptText) -> Material:
        return bare

    def messages(self, prompt: PromptText, material: Material, unit: int, nonce: str) -> list[dict[str, str]]:
        start, end = bounds(material.response)[unit]
        if prompt.answer_form:
            texts = {"prompt": material.prompt, "response": material.response, "language": material.language}
            return prompt.word_for_word({**texts, "sentence": material.response[start:end]})
        fixed = {name: prompt.parts[name] for name in ("taxonomy", "category_field")}
        shown = {
            "nonce": nonce,
            "prompt": material.prompt,
            "response": material.response,
            "sentence": material.response[start:end],
        }
        system = fill(prompt.parts["system"], {**fixed, **prompt.languages(material.language)})
        return chat(system, fill(prompt.parts["question"], shown))

    def read(
        self, value: Mapping[str, Any], prompt: PromptText, material: Material, unit: int, nonce: str
    ) -> dict[str, Any]:
        fields = prompt.schema["properties"]
        check_answer(value, fields, nonce)
        is_error = value["sentence"] == ERROR
        if "category" in fields and (value["category"] is not None) != is_error:
            raise WrongAnswer("category_does_not_fit")
        category = value.get("category") or ""
        return answer_of(material.response, unit, is_error, category, value["reason"].strip())

    def read_plain(self, answer: Any, prompt: PromptText, material: Material, unit: int) -> dict[str, Any]:
        """True where the sentence holds an error, False where it does not, as JuICE asks for it."""
        said = str(answer).casefold()
        if said not in ("true", "false"):
            raise WrongAnswer("unknown_value", "sentence")
        return answer_of(material.response, unit, said == "true")


def answer_of(text: str, unit: int, is_error: bool, category: str = "", reason: str = "") -> dict[str, Any]:
    start, end = bounds(text)[unit]
    place = {"start": start, "end": end, "words": text[start:end]}
    return {**place, "is_error": is_error, "category": category, "reason": reason}
