"""Setting up a judge: its model, the laboratory behind it, and the rater its answers belong to."""

from collections.abc import Mapping
from itertools import product
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from judging.kinds import JudgeKind, judge_kind, judge_kinds
from judging.kinds.explained import EXPLAINED
from judging.kinds.options import (
    REASONING,
    SEED,
    SENT,
    SEVERAL_PLACES,
    SHOTS,
    TARGET,
    TAXONOMY,
    checked,
    name_of,
    problems_in,
    storable_options,
)
from judging.models import Judge, JudgePrompt, Shots, Target
from judging.prompts import asks_language
from judging.prompts.published import is_published
from judging.prompts.shipped import ENGLISH, LANGUAGES
from projects.audit import record
from projects.models import Project, Rater, RaterKind, User
from projects.problems import Invalid, Problem
from projects.stored_text import name_fault
from providers.capabilities import capabilities_of
from providers.laboratories import laboratory_row, resolve
from providers.models import Provider

MAX_MODEL = Judge._meta.get_field("model").max_length or 0
MAX_NAME = Rater._meta.get_field("name").max_length or 0
RATING_KINDS = ("pointwise", "pairwise")


def add_judge(
    project: Project,
    provider: Provider,
    model: str,
    *,
    kind: str = "spans",
    name: str = "",
    prompt: JudgePrompt | None = None,
    instruction_language: str = ENGLISH,
    by: User | None = None,
    **options: Any,
) -> Judge:
    """A new judge with its rater.

    `options` are those of its kind and those of what every judge sends (`judging/kinds/options.py`), each its default
    where it is not given (of the language of explanations the project's). The temperature is 0, but with
    `own_temperature`, and for models that are known to refuse one, none is sent. It asks by the project's own `prompt`
    where one is given, else by the shipped one in the language of instruction.

    Raises Invalid where there is no such kind or option, an option has no such value, nobody knows the laboratory
    behind the model, the name is none or is taken in the project, or the model is known to take no seed or no reasoning
    effort.
    """
    own_kind = kind_named(kind)
    options = {**explained(project, own_kind, prompt), **options}
    model, name = model.strip(), name.strip()
    values, problems = checked((*own_kind.options, *SENT), options)
    problems = problems or problems_in(project, own_kind.options, values)
    if problems := [*name_problems(model, name), *problems]:
        raise Invalid(problems)
    laboratory = resolve(model, provider)
    of_kind = storable_options(own_kind.options, values)
    stored = of_kind | sent_beside(provider, model, values)
    takes_temperature = capabilities_of(provider, model, values["reasoning"]).takes_temperature
    check_prompt(project, kind, prompt, instruction_language)
    check_word_for_word(prompt, stored)
    check_slot(prompt, stored)
    name = name or with_prompt(default_name(model, own_kind, stored), prompt, instruction_language)
    with transaction.atomic():
        if Rater.objects.filter(project=project, kind=RaterKind.JUDGE, name=name).exists():
            message = _("This project has a judge named “%(name)s” already. Choose another name.")
            raise Invalid(Problem("name_taken", message % {"name": name}, "name"))
        rater = Rater.objects.create(
            project=project,
            kind=RaterKind.JUDGE,
            name=name,
            model=model,
            laboratory=laboratory_row(laboratory),
            is_simulated=provider.is_simulated,
        )
        judge = Judge.objects.create(
            project=project,
            rater=rater,
            provider=provider,
            kind=kind,
            model=model,
            options=stored,
            temperature=0.0 if takes_temperature and not values["own_temperature"] else None,
            max_output_tokens=values["max_output_tokens"],
            prompt=prompt,
            instruction_language=prompt.language if prompt else instruction_language,
        )
        record("judge.added", actor=by, project=project, subject=name, model=model, laboratory=laboratory)
    return judge


def name_problems(model: str, name: str) -> list[Problem]:
    """What is wrong with how the model and the judge are called; the judge may be left without a name."""
    faults = {"model": name_fault(model, MAX_MODEL), "name": name_fault(name, MAX_NAME) if name else None}
    return [Problem(*fault, field) for field, fault in faults.items() if fault]


def kind_named(name: str) -> JudgeKind:
    """Raises Invalid where there is no such kind of judge."""
    kinds = judge_kinds()
    if name not in kinds:
        message = _("One of these is expected: %(values)s.") % {"values": ", ".join(kinds)}
        raise Invalid(Problem("unknown_kind", message, "kind"))
    return kinds[name]


def sent_beside(provider: Provider, model: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a judge that go into each of its requests. Raises Invalid where the model takes one of them not.

    What is not set is left out: a judge without it is asked in the very words in which it was asked before.
    """
    sent = storable_options((SEED, REASONING), values)
    known = capabilities_of(provider, model, values["reasoning"])
    problems = []
    if SEED.name in sent and not known.takes_seed:
        message = _("“%(model)s” at %(provider)s takes no seed. Leave it empty, or have the model tested anew.")
        problems.append(Problem("seed_not_taken", message % {"model": model, "provider": provider}, "seed"))
    if REASONING.name in sent and not known.takes_effort:
        message = _("“%(model)s” at %(provider)s does not reason. Leave this as the provider sets it.")
        problems.append(Problem("effort_not_taken", message % {"model": model, "provider": provider}, "reasoning"))
    if problems:
        raise Invalid(problems)
    return sent


def check_prompt(project: Project, kind: str, prompt: JudgePrompt | None, language: str) -> None:
    """Raises Invalid where the prompt is another project's or of another kind, or none ships in the language."""
    if prompt and (prompt.project_id != project.pk or prompt.kind != kind):
        message = _("This prompt is for another kind of judging. Choose one of the judge's own kind.")
        raise Invalid(Problem("prompt_of_other_kind", message, "asks_by"))
    if not prompt and language not in LANGUAGES:
        raise Invalid(Problem("unknown_language", _("Judges are not instructed in this language."), "asks_by"))


def check_word_for_word(prompt: JudgePrompt | None, stored: Mapping[str, Any]) -> None:
    """Raises Invalid where a published prompt is to be asked with what it has no place for."""
    if prompt is None or not is_published(prompt.parts):
        return
    message = _(
        "A published prompt is asked word for word: it has no place for examples, categories or the model's name."
    )
    added = {SHOTS.name: Shots.FEW, TAXONOMY.name: True, SEVERAL_PLACES.name: True, TARGET.name: Target.SHOWN}
    problems = [Problem("word_for_word", message, name) for name, value in added.items() if stored.get(name) == value]
    if problems:
        raise Invalid(problems)


def explained(project: Project, kind: JudgeKind, prompt: JudgePrompt | None) -> dict[str, str]:
    """The language of explanations where nobody chose one: the project's, as far as the prompt can ask for it."""
    can_ask = EXPLAINED in kind.options and (prompt is None or asks_language(prompt.parts))
    return {EXPLAINED.name: project.explanation_language} if can_ask and project.explanation_language else {}


def check_slot(prompt: JudgePrompt | None, stored: Mapping[str, Any]) -> None:
    """Raises Invalid where an own prompt has no place for the language of explanations that was chosen."""
    if prompt and stored.get(EXPLAINED.name) and not asks_language(prompt.parts):
        message = _("This prompt says itself in which language to explain: it has no {{explanation_language}}.")
        raise Invalid(Problem("no_slot", message, EXPLAINED.name))


def with_prompt(name: str, prompt: JudgePrompt | None, language: str) -> str:
    """The name with its prompt, where that is not the shipped English one."""
    own = f" own-{prompt.number}" if prompt else "" if language == ENGLISH else f" {language}"
    return name[: MAX_NAME - len(own)] + own


def default_name(model: str, kind: JudgeKind, stored: Mapping[str, Any]) -> str:
    """The model and how it is asked, so that two settings of one model are told apart in every table."""
    how = name_of(kind.setup_begins, (*kind.options, SEED, REASONING), stored)
    return f"{model[: min(80, MAX_NAME - len(how) - 3)]} ({how})"


def eight_setups(project: Project, provider: Provider, model: str, by: User | None = None) -> list[Judge]:
    """A model's judges in all the ways of rating: one by one or in pairs, in both orders; without examples or with
    three; without the rubric or with it. Those that there are already are taken, the others are added.

    Raises Invalid where nobody knows the laboratory behind the model, or a name is taken by another judge.
    """
    of_model = Judge.objects.filter(project=project, provider=provider, model=model, is_active=True)
    of_model = of_model.filter(prompt=None, instruction_language=ENGLISH)
    there = list(of_model.select_related("rater", "project", "provider__laboratory").order_by("pk"))
    judges = []
    with transaction.atomic():
        for kind, shots, with_rubric in product(RATING_KINDS, Shots, (False, True)):
            own_kind = judge_kind(kind)
            options: dict[str, Any] = {**explained(project, own_kind, None), "shots": str(shots), "rubric": with_rubric}
            stored = storable_options(own_kind.options, checked(own_kind.options, options)[0])
            same = (judge for judge in there if judge.kind == kind and judge.options == stored)
            judge = next(same, None)
            if judge is None:
                judge = add_judge(project, provider, model, kind=kind, by=by, **options)
            judges.append(judge)
    return judges
