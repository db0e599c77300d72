"""What a judge would be sent about a real item: planned and put together as a run does it, and not sent."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from judging.engine.calling import new_nonce
from judging.kinds import Material, Pass, Unit, Units, judge_kind
from judging.models import Judge, JudgePrompt
from judging.prompts import PromptText
from judging.prompts.own import Version
from judging.prompts.shipped import SLOT, WITH_SLOT
from projects.explanations import OF_RESPONSE
from projects.laboratories import laboratory_slugs
from projects.models import Project, Response
from projects.problems import Invalid
from providers.laboratories import Guard, guard_of

# What a judge without a row is taken for: it has answered nothing, and no laboratory is its own.
NOBODY = 0
NO_ROUND = 0
MAX_ITEMS = 100


@dataclass(frozen=True, slots=True)
class Preview:
    """The messages of one question about a response; or, where there is none, the reason why."""

    response: Response | None
    messages: tuple[dict[str, str], ...] = ()
    prompt: PromptText | None = None
    number: int = 1  # which of the questions about the response, counted from 1
    questions: int = 0
    nonce: str = ""
    reason: str = ""

    @property
    def tokens(self) -> int:
        return sum(estimated_tokens(message["content"]) for message in self.messages)


def estimated_tokens(text: str) -> int:
    """One for four bytes of UTF-8, rounded up: about right for English, rather too many for other scripts."""
    return -(-len(text.encode()) // 4)


def judge_for(project: Project, version: Version, judge: Judge | None, setting: int = 0) -> Judge:
    """A judge that is not kept: set up as `judge` is, else in one of the kind's ways, and asking by this prompt."""
    if judge:
        settings = {name: getattr(judge, name) for name in ("provider", "model", "options")}
    else:
        ways = judge_kind(version.kind).ways
        settings = {"options": dict(ways[min(max(setting, 0), len(ways) - 1)].options)}
    chosen = settings["options"] = dict(settings["options"])
    if version.own is None and version.name.partition("-")[0] == WITH_SLOT:
        chosen[SLOT] = chosen.get(SLOT) or project.explanation_language or OF_RESPONSE
    elif version.own is None:
        chosen.pop(SLOT, None)
    judge_like = Judge(
        project=project, rater_id=NOBODY, kind=version.kind, instruction_language=version.language, **settings
    )
    if version.own:
        judge_like.prompt = version.own
    return judge_like


def unsaved(project: Project, kind: str, language: str, parts: Mapping[str, str]) -> Version:
    """A prompt as it is being written, before it has a number."""
    own = JudgePrompt(project=project, kind=kind, language=language, number=0, parts=dict(parts))
    return Version(kind, "own-0", language, own.parts, own)


def guard_for(judge: Judge) -> Guard:
    """The judge's guard; for no judge in particular, one that keeps nothing from it."""
    return guard_of(judge.model, judge.provider) if judge.provider_id else Guard("", "-")


def askable(judge: Judge, responses: QuerySet[Response]) -> list[Response]:
    """Of the first responses, those that the judge could be asked about. The statements do not grow with them."""
    rows = list(responses.select_related("target_model__laboratory", "variety").order_by("pk")[:MAX_ITEMS])
    own = laboratory_slugs(judge.project)
    try:
        guard = guard_for(judge)
        allowed = [response for response in rows if not forbids(guard, response, own)]
        over = Pass(judge, guard, NO_ROUND)
        units = judge_kind(judge.kind).units(over, {response.pk: response.text for response in allowed})
    except Invalid:
        return []
    return [response for response in allowed if units.of_response.get(response.pk)]


def forbids(guard: Guard, response: Response, own: Mapping[int, str]) -> bool:
    """`own` as of `laboratory_slugs` of the project."""
    model = response.target_model
    return guard.forbids(model.name, own.get(model.pk, model.laboratory.slug))


def preview(judge: Judge, response: Response, number: int = 1) -> Preview:
    """One of the questions about a response, by its number from 1, as the judge would get it. Reads only."""
    kind = judge_kind(judge.kind)
    try:
        guard = guard_for(judge)
        if forbids(guard, response, laboratory_slugs(judge.project)):
            reason = _("The judge's own laboratory wrote this response (%(model)s), so it is never asked about it.")
            return Preview(response, reason=reason % {"model": response.target_model.name})
        prompt = kind.prompt_text(judge)
        units = kind.units(Pass(judge, guard, NO_ROUND), {response.pk: response.text})
    except Invalid as invalid:
        return Preview(response, reason=invalid.problems[0].message)
    asked = units.of_response.get(response.pk, [])
    if not asked:
        return Preview(response, reason=why_not(judge, units))
    number = min(max(number, 1), len(asked))
    material = material_of(judge, prompt, response, asked[number - 1])
    nonce = new_nonce(material)
    messages = kind.messages(prompt, material, asked[number - 1].number, nonce)
    return Preview(response, tuple(messages), prompt, number, len(asked), nonce)


def material_of(judge: Judge, prompt: PromptText, response: Response, unit: Unit) -> Material:
    kind = judge_kind(judge.kind)
    subjects = kind.subjects(set(unit.about))
    shown = [subjects[about] for about in unit.about if about in subjects]
    bare = Material(response.prompt.text, response.text, response.variety.name)
    return kind.material(bare, shown, response.target_model.name, prompt)


def why_not(judge: Judge, units: Units) -> str:
    """In words, why there is no question about a response."""
    kind = judge_kind(judge.kind)
    if units.reasons:
        return "; ".join(units.reasons)
    if units.withheld and kind.withheld:
        return str(kind.withheld)
    return str(
        kind.idle or kind.not_ready or _("There is nothing in this response that the judge could be asked about.")
    )
