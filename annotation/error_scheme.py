"""What errors cost: whether those of the source count, and which errors these are."""

from collections.abc import Mapping
from typing import Any

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
    names = scheme.source_categories
    there = project.error_categories.filter(Q(slug__in=names) | Q(name__in=names)).values_list("pk", flat=True)
    ids = standing_for(there, replaced(project))
    return spans.filter(Q(category__in=ids) | Q(metadata__category__in=names))


def weighted(project: Project, spans: QuerySet[Span]) -> dict[int, float]:
    """Points by id of those of these spans of the project whose category has points of its own, where their rater gave
    them none: the category that it is read as. At most four statements."""
    weights = error_scheme(project).weights
    if not weights:
        return {}
    names = {weight["category"] for weight in weights}
    slugs = dict(project.error_categories.filter(slug__in=names).values_list("pk", "slug"))
    mapping = replaced(project)
    named = spans.filter(category__in=standing_for(slugs, mapping), penalty=None).order_by()
    found = {}
    for pk, category, criticality in named.values_list("id", "category", "criticality"):
        slug = slugs.get(read_as(category, mapping) or 0, "")
        fitting = (weight["points"] for weight in weights if _fits(weight, slug, criticality))
        if (points := next(fitting, None)) is not None:
            found[pk] = float(points)
    return found


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
