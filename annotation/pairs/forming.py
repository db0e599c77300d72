"""Pairs formed of the responses that a project has: what a design would make, and making it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import DesignKind, PairDesign
from annotation.pairs.design import BALANCED, BASELINE, Answered, Design, Meeting, Tally, draw
from projects.audit import record
from projects.derived import taken
from projects.insertion import insert_rows
from projects.models import Project, Response, ResponsePair, TargetModel, User
from projects.opening import open_areas
from projects.problems import Invalid, Problem
from workflow.models import Stage
from workflow.planning import plan_items

MAX_PER_PROMPT = 100
MAX_SEED = 2**31 - 1
MAX_KEY = 200
FIELDS = ("project", "key", "prompt", "variety", "first", "second", "created_at", "came_with")


@dataclass(frozen=True, slots=True)
class OfModel:
    """In how many of the pairs to be formed a model stands, and in how many of these first."""

    name: str
    pairs: int
    first: int


@dataclass(slots=True)
class Formed:
    """What a design makes: pairs, those that are there already, prompts that too few models have answered."""

    pairs: list[Meeting] = field(default_factory=list)
    there: int = 0
    too_few: int = 0
    models: list[OfModel] = field(default_factory=list)


@dataclass(slots=True)
class Material:
    """What pairs can be formed of. `places` are prompt and variety by the key of what was answered."""

    names: dict[int, str]
    answered: list[Answered]
    places: dict[str, tuple[int, int]]
    there: set[frozenset[int]]
    tally: Tally


def design_of(project: Project) -> PairDesign:
    """How the project forms its pairs, or the defaults, which are not stored."""
    return PairDesign.objects.filter(project=project).first() or PairDesign(project=project)


def models_of(project: Project) -> list[TargetModel]:
    """The models that have responses here."""
    answered = Response.objects.filter(project=project, target_model=OuterRef("pk"))
    return list(TargetModel.objects.filter(Exists(answered)).order_by("name"))


def would_form(wanted: PairDesign) -> Formed:
    """What would be formed; nothing is written. Raises Invalid where the design says nothing that can be done."""
    return formed_of(material_of(wanted), checked(wanted))


def form(wanted: PairDesign, by: User | None = None) -> Formed:
    """Form the pairs, keep the design, and hand them out in the open stages for pairs.

    Two responses are a pair once: what is there already, also formed by somebody else meanwhile, stays as it is.
    Raises Invalid as `would_form`, and where there is nothing to form.
    """
    material = material_of(wanted)
    formed = formed_of(material, checked(wanted))
    with transaction.atomic():
        Project.objects.select_for_update(no_key=True).get(pk=wanted.project_id)  # pairs are formed by one at a time
        there = {frozenset(pair) for pair in paired(wanted.project)}
        formed.pairs = [pair for pair in formed.pairs if frozenset((pair.first, pair.second)) not in there]
        if not formed.pairs:
            raise Invalid(Problem("nothing_to_form", nothing_to_form(formed)))
        insert_rows(ResponsePair, FIELDS, rows_of(wanted.project, formed.pairs, material))
        wanted.save()
        open_areas(wanted.project, ["ratings"])
        said = {"design": wanted.design, "baseline": wanted.baseline, "per_prompt": wanted.per_prompt}
        said |= {"models": wanted.among, "seed": wanted.seed, "pairs": len(formed.pairs)}
        record("pairs.formed", actor=by, project=wanted.project, **said)
        for stage in Stage.objects.filter(project=wanted.project, kind="pairs", is_open=True, locked_at=None):
            plan_items(stage)
    return formed


def paired(project: Project) -> Iterator[tuple[int, int]]:
    return ResponsePair.objects.filter(project=project).values_list("first", "second").iterator()


def nothing_to_form(formed: Formed) -> str:
    if formed.there:
        return _("All pairs of this design are there already. Collect or import more responses, or choose another.")
    return _("No prompt has responses of two of these models. Collect or import them, then form the pairs.")


def checked(wanted: PairDesign) -> Design:
    """Raises Invalid for what cannot be meant."""
    problems = []
    known = {model.name: model.pk for model in models_of(wanted.project)}
    for name in (*wanted.among, *([wanted.baseline] if wanted.design == BASELINE else ())):
        if name not in known:
            message = _("The project has no responses of “%(name)s”.") % {"name": name}
            problems.append(Problem("unknown_model", message, "baseline" if name == wanted.baseline else "models"))
    if wanted.design not in DesignKind.values:
        problems.append(Problem("not_a_choice", _("There is no such design."), "design"))
    if wanted.design == BALANCED and not 1 <= wanted.per_prompt <= MAX_PER_PROMPT:
        message = _("From 1 to %(limit)d pairs to a prompt.") % {"limit": MAX_PER_PROMPT}
        problems.append(Problem("per_prompt", message, "per_prompt"))
    if problems:
        raise Invalid(problems)
    baseline = known[wanted.baseline] if wanted.design == BASELINE else 0
    return Design(wanted.design, wanted.seed, baseline, wanted.per_prompt)


def material_of(wanted: PairDesign) -> Material:
    """In a fixed number of statements. Of versions of a response it is the newest; several of a model to a prompt stand
    in the order in which they were asked for, and those that were not collected in the order in which they came."""
    names = {model.pk: model.name for model in models_of(wanted.project)}
    chosen = (
        {pk for pk, name in names.items() if name in {*wanted.among, wanted.baseline}} if wanted.among else set(names)
    )
    later = Response.objects.filter(earlier=OuterRef("pk"))
    rows = taken(Response.objects.filter(~Exists(later), project=wanted.project_id)).order_by("pk")
    responses: dict[tuple[int, int, str], dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    model_of: dict[int, int] = {}
    columns = ("pk", "prompt", "variety", "prompt__key", "target_model", "metadata__collected__replicate")
    # Calls end in any order: what was asked for first is what its number says.
    for pk, prompt, variety, key, model, _number in sorted(rows.values_list(*columns), key=lambda row: row[-1] or 1):
        model_of[pk] = model
        if model in chosen:
            responses[prompt, variety, key][model].append(pk)
    there: set[frozenset[int]] = set()
    tally = Tally()
    for first, second in paired(wanted.project):
        there.add(frozenset((first, second)))
        if first in model_of and second in model_of:
            tally.add(model_of[first], model_of[second])
    places = {f"{key} {variety}": (prompt, variety) for prompt, variety, key in responses}
    answered = [Answered(f"{key} {variety}", of_models) for (_p, variety, key), of_models in responses.items()]
    return Material(names, answered, places, there, tally)


def formed_of(material: Material, design: Design) -> Formed:
    too_few = sum(len(each.responses) < 2 for each in material.answered)
    before = (material.tally.stood.copy(), material.tally.first.copy())
    every = sum(1 for _pair in draw(material.answered, design))
    pairs = list(draw(material.answered, design, material.there, material.tally))
    stood, first = material.tally.stood - before[0], material.tally.first - before[1]
    as_first: dict[int, int] = defaultdict(int)
    for (model, _other), n in first.items():
        as_first[model] += n
    models = [OfModel(material.names[pk], stood[pk], as_first[pk]) for pk in stood]
    return Formed(pairs, every - len(pairs), too_few, sorted(models, key=lambda model: model.name))


def rows_of(project: Project, pairs: Sequence[Meeting], material: Material) -> Iterator[tuple]:
    """Keyed by the prompt and the first number that is free."""
    keys = set(ResponsePair.objects.filter(project=project).values_list("key", flat=True))
    now = timezone.now()
    numbers: dict[str, int] = defaultdict(int)
    for pair in pairs:
        prompt, variety = material.places[pair.prompt]
        name = pair.prompt.rpartition(" ")[0][: MAX_KEY - 12]
        key = ""
        while not key or key in keys:
            numbers[name] += 1
            key = f"{name}-pair-{numbers[name]}"
        keys.add(key)
        yield project.pk, key, prompt, variety, pair.first, pair.second, now, None
