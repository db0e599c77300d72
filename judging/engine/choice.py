"""Which responses runs cover: filters, and a sample drawn by a seed. The same choice on pages, command line and API."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from projects.among import Among
from projects.derived import taken
from projects.models import LanguageVariety, Project, Response, Split, TargetModel
from projects.problems import Invalid, Problem
from projects.splits import prompts_of

LISTS = ("varieties", "target_models", "domains")


@dataclass(frozen=True, slots=True)
class Choice:
    """Responses that are taken further (projects/derived.py) by language variety (tags), target model (names), domain
    of their prompt, side of the split, and a text that their key contains; a filter that is empty lets everything
    through. Of what is left, `sample` are drawn.
    """

    varieties: tuple[str, ...] = ()
    target_models: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    split: str = ""
    search: str = ""
    sample: int | None = None
    seed: int = 0

    def responses(self, project: Project) -> QuerySet[Response]:
        """The project's responses that are chosen, as they are now."""
        responses = taken(project.responses.all())
        if self.varieties:
            responses = responses.filter(variety__tag__in=self.varieties)
        if self.target_models:
            responses = responses.filter(target_model__name__in=self.target_models)
        if self.domains:
            responses = responses.filter(prompt__domain__in=self.domains)
        if self.search:
            responses = responses.filter(key__contains=self.search)
        if self.split:
            responses = responses.filter(prompt__in=Among(prompts_of(project, self.split)))
        if self.sample is not None:
            responses = project.responses.filter(pk__in=Among(sample_of(responses, self.sample, self.seed)))
        return responses

    def check(self, project: Project) -> "Choice":
        """Itself, where everything it names is there. Raises Invalid naming what is not."""
        there = choices_of(project) if any(getattr(self, field) for field in LISTS) else {}
        problems = [
            Problem("not_in_project", _("“%(name)s” is not in this project.") % {"name": name}, field)
            for field in LISTS
            for name in getattr(self, field)
            if name not in there[field]
        ]
        if self.split and self.split not in Split.values:
            problems.append(Problem("unknown_split", _("There is no such side of the split."), "split"))
        if self.sample is not None and self.sample < 1:
            problems.append(Problem("sample_empty", _("A sample has one response at least."), "sample"))
        if problems:
            raise Invalid(problems)
        return self

    def as_json(self) -> dict[str, Any]:
        """What is set of it, for `RunSet.items`."""
        values = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}
        if self.sample is None:
            values.pop("seed")
        return {name: value for name, value in values.items() if value or (name == "seed" and value is not None)}

    @classmethod
    def of_json(cls, values: Mapping[str, Any]) -> "Choice":
        """The choice that was kept so. What it does not know is left out: an older version may have kept it."""
        known: dict[str, Any] = {name: tuple(values[name]) for name in LISTS if values.get(name)}
        known |= {name: values[name] for name in ("split", "search", "sample", "seed") if values.get(name)}
        return cls(**known)


def sample_of(responses: QuerySet[Response], n: int, seed: int) -> list[int]:
    """Ids of the n that a hash of seed and key puts first: the same ones whenever the same responses are there, and
    with a larger n those and more."""

    def place(row: tuple[int, str]) -> bytes:
        return hashlib.sha256(f"{seed}\x1f{row[1]}".encode()).digest()

    return [pk for pk, _key in sorted(responses.values_list("pk", "key"), key=place)[:n]]


def choices_of(project: Project) -> dict[str, list[str]]:
    """What there is to choose from in a project: names by filter. Three statements."""
    varieties = LanguageVariety.objects.filter(responses__project=project)
    models = TargetModel.objects.filter(responses__project=project)
    domains = project.prompts.exclude(domain="").order_by("domain")
    return {
        "varieties": list(varieties.distinct().values_list("tag", flat=True)),
        "target_models": list(models.distinct().values_list("name", flat=True)),
        "domains": list(domains.values_list("domain", flat=True).distinct()),
    }
