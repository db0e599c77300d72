"""The guard: the laboratory behind a model never judges its own output, whatever gateway it came through.

An unknown laboratory is refused until somebody maps it. The guard is asked when a run is planned, again before
each call, and once more with the `model` that the reply names.
"""

import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.urls import reverse
from django.utils.translation import gettext as _

from projects.models import Laboratory
from projects.problems import Invalid, Problem
from providers.model_names import NAMES, canonical, laboratory_of, same_model
from providers.models import ModelMapping, Provider, ServedModel

# As long as a pattern can be; a longer name is mapped by its beginning.
MAX_PATTERN = ModelMapping._meta.get_field("pattern").max_length or 0


@dataclass(frozen=True, slots=True)
class Guard:
    """What one judge may not judge. Built once per run; asking it costs no query."""

    model: str
    laboratory: str
    mappings: tuple[tuple[str, str], ...] = ()
    endpoint_laboratory: str | None = None
    # An administrator named the laboratory of this very model at its provider: its own name then tells nothing.
    is_named: bool = False
    _seen: dict[tuple[str, str], bool] = field(default_factory=dict, compare=False)

    def forbids(self, target_model: str, target_laboratory: str) -> bool:
        """True for output of the judge's own laboratory.

        Both the laboratory a response was imported with and the one its model's name tells are looked at: an
        import that writes another name for the same laboratory must not open the guard.
        """
        key = (target_model, target_laboratory)
        if key not in self._seen:
            by_name = laboratory_of(target_model, self.mappings)
            self._seen[key] = self.laboratory in (canonical(target_laboratory), by_name)
        return self._seen[key]

    def accepts_reply(self, reply_model: str) -> bool:
        """True where the reply comes from the model that was asked: same laboratory and same model."""
        if not reply_model:
            return False
        if self.is_named and reply_model.strip().casefold() == self.model.strip().casefold():
            return True
        by_name = laboratory_of(reply_model, self.mappings)
        if by_name is not None and by_name != self.laboratory:
            return False
        if same_model(self.model, reply_model):
            return True
        # An alias such as `...-latest` is answered with the model it stands for today.
        return self.model.casefold().endswith("latest") and by_name == self.laboratory


def mappings() -> tuple[tuple[str, str], ...]:
    return tuple(ModelMapping.objects.values_list("pattern", "laboratory__slug"))


def named_laboratory(model: str, provider: Provider) -> str | None:
    """The laboratory that an administrator named for this very model at this provider; None where nobody did."""
    rows = ServedModel.objects.filter(provider=provider, name=model).exclude(laboratory=None)
    slug = rows.values_list("laboratory__slug", flat=True).first()
    return canonical(slug) if slug else None


def resolve(model: str, provider: Provider) -> str:
    """The canonical slug of the laboratory behind `model` at `provider`.

    What an administrator said decides: of this model at this provider, else of names that begin so. Otherwise the
    name and the provider tell, where they do not contradict each other. Raises Invalid where it is not known, naming
    what maps it.
    """
    return guard_of(model, provider).laboratory


def guard_of(model: str, provider: Provider) -> Guard:
    """The guard of a judge with this model. Raises Invalid where its laboratory is not known."""
    named, known = named_laboratory(model, provider), mappings()
    endpoint_laboratory = provider.laboratory.slug if provider.laboratory else None
    laboratory = named or laboratory_of(model, known, endpoint_laboratory)
    if laboratory is None:
        raise Invalid(Problem("laboratory_unknown", unknown_laboratory(model), "model"))
    return Guard(model, laboratory, known, endpoint_laboratory, is_named=named is not None)


def laboratories_of(provider: Provider, models: Iterable[str], named: dict[str, str]) -> dict[str, str | None]:
    """The laboratory behind each of many models of a provider, or None where it is not known: one query for all.

    `named` holds what administrators said of single models, by the model's name.
    """
    known = mappings()
    endpoint_laboratory = provider.laboratory.slug if provider.laboratory else None
    return {
        model: canonical(named[model]) if model in named else laboratory_of(model, known, endpoint_laboratory)
        for model in models
    }


def mapping_line(model: str) -> str:
    """The line that maps a model, ready for a shell whatever the name holds; only the laboratory is left to fill in."""
    pattern = model.strip()[:MAX_PATTERN]
    return f"manage.py map_model {'-- ' if pattern.startswith('-') else ''}{shlex.quote(pattern)} LABORATORY"


def unknown_laboratory(model: str) -> str:
    message = _(
        "Nobody knows which laboratory is behind “%(model)s”, so it cannot be kept from judging its own output. "
        "An administrator maps it on the page %(page)s or with: %(line)s"
    )
    return message % {"model": model, "page": reverse("providers"), "line": mapping_line(model)}


def laboratory_row(slug: str) -> Laboratory:
    """The row of a laboratory, made where it is one that ships with the product and was not used yet."""
    slug = canonical(slug)
    spellings = [row for row in Laboratory.objects.all() if canonical(row.slug) == slug]
    if spellings:
        return spellings[0]
    return Laboratory.objects.create(slug=slug, name=NAMES.get(slug, slug))
