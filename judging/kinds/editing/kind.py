"""Editing: a model makes a new text from a response, such as one with its grammar corrected."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy

from formats.importing.rows_of_imports import rested_on
from judging.deriving.steps import step_of_prompt
from judging.engine.parsing import MAX_CHARACTERS
from judging.kinds import AnswersByResponse, JudgeKind, Material, Pass, Unit, Units, WrongAnswer
from judging.kinds.forms import check_keys, check_ticket, closed
from judging.models import ANSWERED, Judge
from judging.prompts import PromptText, chat, fill, templates_of
from projects.among import Among
from projects.derived import Made, store, to_change
from projects.models import Change, Derivation, DerivationStep, Rater, Response
from rubrics.scoring.planning import plan_open_stages

VERSION = "v1"
#: What leads from a text to how it was made.
MADE = Derivation._meta.get_field("response")
SCHEMA = closed({"ticket": {"type": "string"}, "text": {"type": "string"}})


class Editing(JudgeKind):
    """One call for each response that the step has not changed; all judges with the same prompt are one step."""

    kind = "editing"
    can_be_evaluated = False
    name = gettext_lazy("Edits responses: a new text of each, with its grammar corrected")
    idle = gettext_lazy("No response waits for this model: what is taken further was edited by this prompt already.")

    def prompt_text(self, judge: Judge) -> PromptText:
        templates = templates_of(judge, self.kind, VERSION)
        parts = {part: templates[part] for part in ("system", "question")}
        return PromptText(self.kind, templates.version, parts, SCHEMA)

    def units(self, over: Pass, texts: Mapping[int, str]) -> Units:
        """Whole responses: those that the step has changed, or left as they were, are answered."""
        step = step_if_there(over.judge, self.prompt_text(over.judge))
        if step is None:
            return Units({pk: [Unit(0)] for pk in texts})
        waiting = set(to_change(step).filter(pk__in=Among(texts)).values_list("pk", flat=True))
        return Units({pk: [Unit(0)] for pk in texts if pk in waiting}, answered=len(texts) - len(waiting))

    def subjects(self, ids: Collection[Any]) -> Mapping[Any, Any]:
        return {}

    def material(self, bare: Material, subjects: Sequence[Any], target: str, prompt: PromptText) -> Material:
        return bare

    def messages(self, prompt: PromptText, material: Material, unit: int, nonce: str) -> list[dict[str, str]]:
        shown = {"nonce": nonce, "prompt": material.prompt, "response": material.response}
        system = fill(prompt.parts["system"], {"language": material.language})
        return chat(system, fill(prompt.parts["question"], shown))

    def read(
        self, value: Mapping[str, Any], prompt: PromptText, material: Material, unit: int, nonce: str
    ) -> dict[str, Any]:
        """The new text, word for word, with the space around it as it was. One that repeats the marks is none."""
        check_keys(value, SCHEMA["properties"])
        check_ticket(value, nonce)
        text = value["text"]
        if not isinstance(text, str):
            raise WrongAnswer("wrong_type", "text")
        if not text.strip():
            raise WrongAnswer("empty", "text")
        if len(text) > MAX_CHARACTERS:
            raise WrongAnswer("too_long", "text")
        if nonce in text:
            raise WrongAnswer("marks_in_text")
        inner = material.response.strip()
        before, _inner, after = material.response.partition(inner)
        return {"text": f"{before}{text.strip()}{after}"}

    def store(self, judge: Judge, round: int, answered: AnswersByResponse, metadata: dict) -> int:
        """A new text for each that differs; what another judge of the step has made meanwhile stays."""
        given = {
            response: answer.parsed["text"]
            for response, answers in answered.items()
            for answer in answers
            if answer.state in ANSWERED and answer.parsed
        }
        if not given:
            return 0
        step = step_of_prompt(judge.project, step_name(metadata["prompt"]))
        sources = Response.objects.filter(pk__in=Among(given)).select_related("variety").order_by("pk")
        rater = Rater.objects.get(pk=judge.rater_id)
        how = {"model": rater.model, "prompt": metadata["prompt"], "run": metadata.get("run", "")}
        how |= {"simulated": True} if rater.is_simulated else {}
        made = [Made(source, given[source.pk], rater.pk, metadata["prompt"], how) for source in sources]
        texts = store(step, made)
        plan_open_stages([text.pk for text in texts])
        return len(texts)

    def held(self, judge: Judge, round: int, prompt: str, answered: AnswersByResponse) -> set[tuple[int, int]]:
        """Texts on which anything rests: marks, grades, planned work, what other steps made of them."""
        made = made_by(judge, prompt, answered)
        used = rested_on(Response, [text for text in made.values() if text], but=[MADE])
        return {(source, 0) for source, text in made.items() if text in used}

    def take_back(self, judge: Judge, round: int, prompt: str, answered: AnswersByResponse) -> None:
        texts = [text for text in made_by(judge, prompt, answered).values() if text is not None]
        Derivation.objects.filter(rater=judge.rater_id, prompt=prompt, source__in=Among(answered)).delete()
        Response.objects.filter(pk__in=Among(texts)).delete()


def step_name(prompt: str) -> str:
    """Of the prompt as rows name it, without its hash: `editing v1`."""
    return prompt.rpartition(" ")[0] or prompt


def step_if_there(judge: Judge, prompt: PromptText) -> DerivationStep | None:
    name = f"{prompt.name} {prompt.version}".replace(" ", "-")
    return DerivationStep.objects.filter(project=judge.project_id, name=name, change=Change.MODEL).first()


def made_by(judge: Judge, prompt: str, answered: AnswersByResponse) -> dict[int, int | None]:
    """By response the text that an answer of the judge became, None where it changed nothing."""
    rows = Derivation.objects.filter(rater=judge.rater_id, prompt=prompt, source__in=Among(answered))
    return dict(rows.values_list("source", "response"))
