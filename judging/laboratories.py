"""The guard: the laboratory behind a model never judges its own output, whatever gateway it came through.

An unknown laboratory is refused until somebody maps it. The guard is asked when a run is planned, again before
each call, and once more with the `model` that the reply names.
"""

from dataclasses import dataclass, field

from django.urls import reverse
from django.utils.translation import gettext as _

from judging.model_names import NAMES, canonical, laboratory_of, same_model
from judging.models import ModelMapping, Provider
from projects.models import Laboratory
from projects.problems import Invalid, Problem


@dataclass(frozen=True, slots=True)
class Guard:
    """What one judge may not judge. Built once per run; asking it costs no query."""

    model: str
    laboratory: str
    mappings: tuple[tuple[str, str], ...] = ()
    endpoint_laboratory: str | None = None
    _seen: dict[tuple[str, str], bool] = field(default_factory=dict, compare=False)

    def forbids(self, target_model: str, target_laboratory: str) -> bool:
        """True for output of the judge's own laboratory.

        Both the laboratory a response was imported with and the one its model's name tells are looked at: an
        import that writes another name for the same laboratory must not open the guard.
        """
        key = (target_model, target_laboratory)
        if key not in self._seen:
            told = laboratory_of(target_model, self.mappings)
            self._seen[key] = self.laboratory in (canonical(target_laboratory), told)
        return self._seen[key]

    def accepts_reply(self, reply_model: str) -> bool:
        """True where the reply comes from the model that was asked: same laboratory and same model."""
        if not reply_model:
            return False
        told = laboratory_of(reply_model, self.mappings)
        if told is not None and told != self.laboratory:
            return False
        if same_model(self.model, reply_model):
            return True
        # An alias such as `...-latest` is answered with the model it stands for today.
        return self.model.casefold().endswith("latest") and told == self.laboratory


def mappings() -> tuple[tuple[str, str], ...]:
    return tuple(ModelMapping.objects.values_list("pattern", "laboratory__slug"))


def resolve(model: str, provider: Provider) -> str:
    """The canonical slug of the laboratory behind `model` at `provider`.

    Raises Invalid where it is not known, naming what maps it.
    """
    endpoint_laboratory = provider.laboratory.slug if provider.laboratory else None
    laboratory = laboratory_of(model, mappings(), endpoint_laboratory)
    if laboratory is None:
        raise Invalid(Problem("laboratory_unknown", unknown_laboratory(model), "model"))
    return laboratory


def guard_of(model: str, provider: Provider) -> Guard:
    """The guard of a judge with this model. Raises Invalid where its laboratory is not known."""
    endpoint_laboratory = provider.laboratory.slug if provider.laboratory else None
    return Guard(model, resolve(model, provider), mappings(), endpoint_laboratory)


def unknown_laboratory(model: str) -> str:
    message = _(
        "Nobody knows which laboratory is behind “%(model)s”, so it cannot be kept from judging its own output. "
        "An administrator maps it on the page %(page)s or with: manage.py map_model %(model)s LABORATORY"
    )
    return message % {"model": model, "page": reverse("providers")}


def laboratory_row(slug: str) -> Laboratory:
    """The row of a laboratory, made where it is one that ships with the product and was not used yet."""
    slug = canonical(slug)
    spellings = [row for row in Laboratory.objects.all() if canonical(row.slug) == slug]
    if spellings:
        return spellings[0]
    return Laboratory.objects.create(slug=slug, name=NAMES.get(slug, slug))
