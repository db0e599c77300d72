"""What is ranked, by whose judgement, and who may read it: the lead's form."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from benchmark.models import Board
from projects.models import Project, RaterKind


class BoardForm(forms.ModelForm):
    class Meta:
        model = Board
        fields = ("title", "slug", "is_open", "question_set", "judges", "published_judge")
        labels = {
            "title": _("Title"),
            "slug": _("Short name"),
            "is_open": _("Everybody may read the board without an account"),
            "question_set": _("Question set"),
            "judges": _("Judges"),
            "published_judge": _("Judge of the column “as published”"),
        }
        help_texts = {
            "slug": _("Stands in the public address: letters, digits and hyphens."),
            "is_open": _("It shows names, scores and ranks, and no text of a question or an answer."),
            "judges": _("None chosen: every judge from a laboratory that is not on the board."),
        }
        widgets = {"judges": forms.CheckboxSelectMultiple}

    def __init__(self, project: Project, *args: Any, **options: Any):
        super().__init__(*args, **options)
        judges = project.raters.filter(kind=RaterKind.JUDGE).order_by("name")
        sets: Any = self.fields["question_set"]
        sets.queryset = project.question_sets.filter(frozen_at__isnull=False).order_by("slug", "version")
        sets.empty_label = _("The newest that is frozen")
        for name in ("judges", "published_judge"):
            chosen: Any = self.fields[name]
            chosen.queryset = judges
        for name in ("title", "slug"):
            self.fields[name].widget.attrs["class"] = "form-control"
        for name in ("question_set", "published_judge"):
            self.fields[name].widget.attrs["class"] = "form-select"
        self.fields["is_open"].widget.attrs["class"] = "form-check-input"


def board_for(project: Project) -> Board:
    """The board as it is stored, or as it would be made."""
    stored = Board.objects.filter(project=project).first()
    return stored or Board(project=project, slug=project.slug, title=project.name)
