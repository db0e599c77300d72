"""Setting up a judge: its model, the laboratory behind it, and the rater its answers belong to."""

from itertools import product
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from judging.kinds.examples import SEED
from judging.models import Granularity, Judge, JudgePrompt, Orders, Shots, Target
from judging.prompts.shipped import ENGLISH, LANGUAGES
from projects.audit import record
from projects.models import Project, Rater, RaterKind, User
from projects.problems import Invalid, Problem
from providers.capabilities import capabilities_of
from providers.laboratories import laboratory_row, resolve
from providers.models import Provider

MOST_NAME = Rater._meta.get_field("name").max_length or 0
RATING_KINDS = ("pointwise", "pairwise")
MAY_SEE_EXAMPLES = (*RATING_KINDS, "spans")
# Which of its settings a judge of a kind keeps in `Judge.options`.
OPTIONS = {"rubric": ("target",), "pointwise": ("shots", "rubric"), "pairwise": ("shots", "rubric", "orders")}


def add_judge(
    project: Project,
    provider: Provider,
    model: str,
    *,
    name: str = "",
    kind: str = "spans",
    granularity: str = Granularity.PARAGRAPH,
    with_taxonomy: bool = False,
    target: str = Target.MASKED,
    shots: str = Shots.ZERO,
    with_rubric: bool = True,
    orders: str = Orders.BOTH,
    examples_seed: int | None = None,
    own_temperature: bool = False,
    seed: int | None = None,
    reasoning: str = "",
    prompt: JudgePrompt | None = None,
    instruction_language: str = ENGLISH,
    by: User | None = None,
    **settings: Any,
) -> Judge:
    """A new judge with its rater.

    `granularity` and `with_taxonomy` say how error spans are asked for, `target` whether one that grades by rubric
    is told which model it grades. `shots` and `with_rubric` say what one that rates is shown beside the responses,
    `orders` how it is shown pairs; other kinds have one way each. One that marks errors may be shown examples too;
    `examples_seed` draws others. The temperature is 0, but with `own_temperature`, and for models that are known to
    refuse one, none is sent. `seed` and `reasoning` (an effort) are sent as they are. It asks by the project's own
    `prompt` where one is given, else by the shipped one in the language of instruction.
    Raises Invalid where nobody knows the laboratory behind the model, the name is taken in the project, or the model
    is known to take no seed or no reasoning effort.
    """
    laboratory = resolve(model, provider)
    if kind != "spans":
        granularity, with_taxonomy = Granularity.RESPONSE, False
    chosen = {"target": str(target), "shots": str(shots), "rubric": with_rubric, "orders": str(orders)}
    settings["options"] = {**settings.get("options", {}), **{name: chosen[name] for name in OPTIONS.get(kind, ())}}
    if shots == Shots.FEW and kind in MAY_SEE_EXAMPLES:
        # Without a seed nothing is kept of it, so that judges that were set up before draw what they drew.
        settings["options"] |= {"shots": str(shots)} | ({} if examples_seed is None else {SEED: examples_seed})
    settings["options"] |= sent_beside(provider, model, seed, reasoning)
    if own_temperature or not capabilities_of(provider, model, reasoning).takes_temperature:
        settings["temperature"] = None
    check_prompt(project, kind, prompt, instruction_language)
    settings |= {"prompt": prompt, "instruction_language": prompt.language if prompt else instruction_language}
    name = name or with_prompt(
        default_name(model, kind, granularity, with_taxonomy, settings["options"]), prompt, instruction_language
    )
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
            granularity=granularity,
            with_taxonomy=with_taxonomy,
            **settings,
        )
        record("judge.added", actor=by, project=project, subject=name, model=model, laboratory=laboratory)
    return judge


def sent_beside(provider: Provider, model: str, seed: int | None, reasoning: str) -> dict[str, Any]:
    """The settings of a judge that go into each of its requests. Raises Invalid where the model takes one of them not.

    What is not set is left out: a judge without it is asked in the very words in which it was asked before.
    """
    known = capabilities_of(provider, model, reasoning)
    problems = []
    if seed is not None and not known.takes_seed:
        message = _("“%(model)s” at %(provider)s takes no seed. Leave it empty, or have the model tested anew.")
        problems.append(Problem("seed_not_taken", message % {"model": model, "provider": provider}, "seed"))
    if reasoning and not known.takes_effort:
        message = _("“%(model)s” at %(provider)s does not reason. Leave this as the provider sets it.")
        problems.append(Problem("effort_not_taken", message % {"model": model, "provider": provider}, "reasoning"))
    if problems:
        raise Invalid(problems)
    return ({} if seed is None else {"seed": seed}) | ({"reasoning": reasoning} if reasoning else {})


def check_prompt(project: Project, kind: str, prompt: JudgePrompt | None, language: str) -> None:
    """Raises Invalid where the prompt is another project's or of another kind, or none ships in the language."""
    if prompt and (prompt.project_id != project.pk or prompt.kind != kind):
        message = _("This prompt is for another kind of judging. Choose one of the judge's own kind.")
        raise Invalid(Problem("prompt_of_other_kind", message, "asks_by"))
    if not prompt and language not in LANGUAGES:
        raise Invalid(Problem("unknown_language", _("Judges are not instructed in this language."), "asks_by"))


def with_prompt(name: str, prompt: JudgePrompt | None, language: str) -> str:
    """The name with its prompt, where that is not the shipped English one."""
    own = f" own-{prompt.number}" if prompt else "" if language == ENGLISH else f" {language}"
    return name[: MOST_NAME - len(own)] + own


def default_name(model: str, kind: str, granularity: str, with_taxonomy: bool, options: dict) -> str:
    """The model and how it is asked, so that two settings of one model are told apart in every table."""
    beside = f", seed {options['seed']}" if "seed" in options else ""
    beside += f", {options['reasoning']} reasoning" if "reasoning" in options else ""
    drawn = f", examples seed {options[SEED]}" if SEED in options else ""
    few = f" + few-shot{drawn}" if options.get("shots") == Shots.FEW else ""
    if options.get("target") == Target.SHOWN:
        how = f"rubric, model named{beside}"
    elif "rubric" in options:
        shots = "few-shot" if options["shots"] == Shots.FEW else "zero-shot"
        once = ", one order" if options.get("orders") == Orders.ONE else ""
        how = f"{kind}, {shots}{drawn}{', rubric' if options['rubric'] else ''}{once}{beside}"
    elif kind != "spans":
        how = f"{kind}{beside}"
    else:
        setting = "paragraph" if granularity == Granularity.PARAGRAPH else "whole"
        how = f"{setting}{' + taxonomy' if with_taxonomy else ''}{few}{beside}"
    return f"{model[: min(80, MOST_NAME - len(how) - 3)]} ({how})"


def eight_setups(project: Project, provider: Provider, model: str, by: User | None = None) -> list[Judge]:
    """A model's judges in all the ways of rating: one by one or in pairs, in both orders; without examples or with
    three; without the rubric or with it. Those that there are already are taken, the others are added.

    Raises Invalid where nobody knows the laboratory behind the model, or a name is taken by another judge.
    """
    of_model = Judge.objects.filter(project=project, provider=provider, model=model, is_active=True)
    of_model = of_model.filter(prompt=None, instruction_language=ENGLISH)
    there = list(of_model.select_related("rater", "project", "provider__laboratory").order_by("pk"))
    found = []
    with transaction.atomic():
        for kind, shots, with_rubric in product(RATING_KINDS, Shots, (False, True)):
            options = {"shots": str(shots), "rubric": with_rubric}
            options |= {"orders": str(Orders.BOTH)} if kind == "pairwise" else {}
            same = (judge for judge in there if judge.kind == kind and judge.options == options)
            judge = next(same, None)
            if judge is None:
                judge = add_judge(project, provider, model, kind=kind, shots=shots, with_rubric=with_rubric, by=by)
            found.append(judge)
    return found
