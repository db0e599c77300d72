"""What errors cost: whether those of the source count, and which errors these are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from django import forms
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from agreement.mqm import AS_OTHERS
from annotation.models import ErrorScheme, SourceErrors, Span
from annotation.taxonomy import read_as, replaced, standing_for
from formats.limits import MAX_PENALTY
from projects.models import Project

#: Of the categories that MQM's published annotations use, those of the source.
OF_MQM = ("Source issue", "Source error")
MOST_NAMES, LONGEST_NAME = 50, 120
MAX_POINTS = MAX_PENALTY


def error_scheme(project: Project) -> ErrorScheme:
    """The project's row, or one with the defaults that is not stored. One statement."""
    return ErrorScheme.objects.filter(project=project).first() or ErrorScheme(project=project)


def without_cost(project: Project, spans: QuerySet[Span]) -> QuerySet[Span]:
    """Those of these spans of the project that cost nothing whatever points they have: none where errors of the
    source count as others."""
    scheme = error_scheme(project)
    if scheme.source_errors == AS_OTHERS or not scheme.source_categories:
        return spans.none()
    ids = _of_source(project, scheme)
    return spans.filter(Q(category__in=ids) | Q(metadata__category__in=scheme.source_categories))


def categories_without_cost(project: Project) -> set[int]:
    """Ids of the categories whose errors cost nothing, as answers hold them."""
    scheme = error_scheme(project)
    return set() if scheme.source_errors == AS_OTHERS else _of_source(project, scheme)


def _of_source(project: Project, scheme: ErrorScheme) -> set[int]:
    names = scheme.source_categories
    there = project.error_categories.filter(Q(slug__in=names) | Q(name__in=names)).values_list("pk", flat=True)
    return standing_for(there, replaced(project))


def weighted(project: Project, spans: QuerySet[Span]) -> dict[int, float]:
    """Points by id of those of these spans of the project whose category has points of its own, where their rater gave
    them none: the category that it is read as. At most four statements."""
    weights = Weights.of(project)
    if not weights.rows:
        return {}
    named = spans.filter(category__in=standing_for(weights.slugs, weights.mapping), penalty=None).order_by()
    found = {}
    for pk, category, criticality in named.values_list("id", "category", "criticality"):
        if (points := weights.points(category, criticality)) is not None:
            found[pk] = points
    return found


@dataclass(frozen=True)
class Weights:
    """Points that single categories have. `slugs` of those by id, `mapping` as of annotation.taxonomy.replaced."""

    rows: Sequence[Mapping[str, Any]]
    slugs: Mapping[int, str]
    mapping: Mapping[int, int | None]

    @classmethod
    def of(cls, project: Project) -> Self:
        """One statement where no category has points of its own, else three."""
        rows = error_scheme(project).weights
        if not rows:
            return cls((), {}, {})
        names = {row["category"] for row in rows}
        slugs = project.error_categories.filter(slug__in=names).values_list("pk", "slug")
        return cls(rows, dict(slugs), replaced(project))

    def points(self, category: int | None, criticality: str) -> float | None:
        """Of an error with this category, as its rater chose it; None where the category has none."""
        slug = self.slugs.get(read_as(category, self.mapping) or 0, "")
        fitting = (float(row["points"]) for row in self.rows if _fits(row, slug, criticality))
        return next(fitting, None)


def _fits(weight: Mapping[str, Any], category: str, criticality: str) -> bool:
    return weight["category"] == category and weight.get("criticality") in (None, criticality)


class ErrorSchemeForm(forms.ModelForm):
    """The option, and the names of categories, one on a line."""

    names = forms.CharField(
        label=_("Categories of errors of the source"),
        required=False,
        max_length=MOST_NAMES * LONGEST_NAME,
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
        help_text=_(
            "One on a line: names or short names of the project's categories, or what stands as “category” in the "
            "metadata of imported errors."
        ),
    )

    class Meta:
        model = ErrorScheme
        fields = ["source_errors"]
        widgets = {"source_errors": forms.RadioSelect}

    def __init__(self, data: Mapping[str, str] | None, *, instance: ErrorScheme) -> None:
        super().__init__(data, instance=instance)
        self.fields["names"].initial = "\n".join(instance.source_categories or OF_MQM)

    def clean_names(self) -> list[str]:
        """Without blank lines, each once."""
        names = list(dict.fromkeys(filter(None, map(str.strip, self.cleaned_data["names"].splitlines()))))
        if len(names) > MOST_NAMES:
            raise forms.ValidationError(_("At most %(most)d categories can be named.") % {"most": MOST_NAMES})
        if any(len(name) > LONGEST_NAME for name in names):
            raise forms.ValidationError(_("A name has at most %(most)d characters.") % {"most": LONGEST_NAME})
        return names

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("source_errors") == SourceErrors.NOTHING and "names" in cleaned and not cleaned["names"]:
            self.add_error("names", _("Name the categories of errors that are to cost nothing."))
        return cleaned

    def save(self, commit: bool = True) -> ErrorScheme:
        self.instance.source_categories = self.cleaned_data["names"]
        return super().save(commit)
