"""What is ranked, by whose judgement, and who may read it: the lead's form."""

from typing import Any

from django import forms
from django.core.validators import MinValueValidator
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from benchmark.models import Board, FrozenControl
from benchmark.wording import changed_meanwhile
from projects.anchors import sha256
from projects.audit import record
from projects.models import Project, Rater, RaterKind, User
from projects.problems import Invalid, Problem
from projects.stored_text import name_fault
from reports.leaderboard.measures.columns import frozen_control
from reports.leaderboard.reader import board_of, set_of
from reports.leaderboard.standings import study_of
from reports.leaderboard.submissions.settings import SubmissionSettings

SUBMISSIONS = ("takes_submissions", "submission_money", "submission_tokens")


class BoardForm(SubmissionSettings, forms.ModelForm):
    freezes_control = forms.BooleanField(
        label=_("Freeze the control for length and format now"),
        help_text=_(
            "Fitted on the models that are ranked now, once for this version of the questions: a model that comes "
            "later moves nobody."
        ),
        required=False,
    )

    drift_limit = forms.FloatField(
        label=_("Limit of drift"),
        help_text=_("Points of 10 by which a judge's scores of the anchor answers may move before new ranks pause."),
        min_value=0.01,
        max_value=10,
        required=False,
        widget=forms.NumberInput(attrs={"step": "any"}),
    )

    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    class Meta:
        model = Board
        fields = (
            "title",
            "slug",
            "is_open",
            "question_set",
            "judges",
            "published_judge",
            "drift_limit",
            "max_exposures",
            *SUBMISSIONS,
        )
        labels = {
            "title": _("Title"),
            "slug": _("Short name"),
            "is_open": _("Everybody may read the board without an account"),
            "question_set": _("Question set"),
            "judges": _("Judges"),
            "published_judge": _("Judge of the column “as published”"),
            "max_exposures": _("Laboratories that may see a held-back question"),
        }
        help_texts = {
            "slug": _("Stands in the public address: letters, digits and hyphens."),
            "is_open": _("It shows names, scores and ranks, and no text of a question or an answer."),
            "max_exposures": _(
                "Once so many have been sent it, to answer or to judge, it retires: the next version leaves it out. "
                "Left empty, none ever does."
            ),
            "judges": _("None chosen: every judge from a laboratory that is not on the board."),
        }
        error_messages = {"slug": {"unique": _("Another board has this short name: choose another one.")}}
        widgets = {"judges": forms.CheckboxSelectMultiple}

    def __init__(self, project: Project, *args: Any, **options: Any):
        super().__init__(*args, **options)
        self.project = project
        judges = judges_of(project)
        sets: Any = self.fields["question_set"]
        sets.queryset = project.question_sets.filter(frozen_at__isnull=False, shuffle=None).order_by("slug", "version")
        sets.empty_label = _("The newest that is frozen")
        for name in ("judges", "published_judge"):
            chosen: Any = self.fields[name]
            chosen.queryset = judges
        self.fields["max_exposures"].validators.append(MinValueValidator(1))
        for name in ("title", "slug", "drift_limit", "max_exposures"):
            self.fields[name].widget.attrs["class"] = "form-control"
        for name in ("question_set", "published_judge"):
            self.fields[name].widget.attrs["class"] = "form-select"
        for name in ("is_open", "freezes_control"):
            self.fields[name].widget.attrs["class"] = "form-check-input"
        # Whoever has been told of another's change, and sends again, means it.
        self.stands = self.initial["seen"] = fingerprint(self.instance)
        if not can_freeze_control(project):
            del self.fields["freezes_control"]

    def clean_title(self) -> str:
        """It is read by everybody: one line, in which nothing turns the letters around."""
        title = str(self.cleaned_data["title"])
        if fault := name_fault(title, 200):
            raise forms.ValidationError(fault[1], fault[0])
        return title

    def clean(self) -> dict[str, Any] | None:
        said = super().clean()
        if self.cleaned_data.get("seen") not in ("", self.stands):
            self.add_error(None, error_of(changed_meanwhile()))
            self.data = self.data.copy()  # type: ignore[attr-defined]
            self.data["seen"] = self.stands  # type: ignore[index]
        return said

    def clean_drift_limit(self) -> float:
        """Left empty it stays as it is."""
        return self.cleaned_data["drift_limit"] or self.instance.drift_limit

    def freeze(self) -> bool:
        """Freeze the control where the lead asked for it; False, with the reason beside the field, where not."""
        if self.cleaned_data.get("freezes_control"):
            try:
                frozen_control(study_of(self.project))
            except Invalid as invalid:
                self.add_error("freezes_control", str(invalid))
                return False
        return True


def error_of(problem: Problem) -> forms.ValidationError:
    return forms.ValidationError(problem.message, problem.code)


def judges_of(project: Project) -> QuerySet[Rater]:
    return project.raters.filter(kind=RaterKind.JUDGE).order_by("name")


def can_freeze_control(project: Project) -> bool:
    """Whether a version is ranked whose control is not frozen yet; no score is read for that."""
    ranked = set_of(project, board_of(project))
    return ranked is not None and not FrozenControl.objects.filter(question_set=ranked).exists()


def store(form: BoardForm, by: User) -> Board | None:
    """The board as the form has it, with its control frozen where that was asked for; None, with the reasons in the
    form, where it is refused."""
    if not (form.is_valid() and form.freeze()):
        return None
    with transaction.atomic():
        # A form stores every column: what somebody stored since this one was read would be undone without a word.
        Project.objects.select_for_update().get(pk=form.project.pk)
        now = Board.objects.filter(project=form.project).first()
        if now is not None and (form.instance._state.adding or fingerprint(now) != form.stands):
            form.add_error(None, error_of(changed_meanwhile()))
            return None
        stored: Board = form.save()
        record("board.changed", actor=by, project=form.project, subject=stored.slug, is_open=stored.is_open)
    return stored


def fingerprint(board: Board) -> str:
    """What a page shows of the settings, as a hash: a change that was made on another page is seen by it."""
    columns = [name for name in BoardForm.Meta.fields if name != "judges"]
    judges = sorted(Board.judges.through.objects.filter(board=board.pk).values_list("rater", flat=True))
    return sha256(repr([[getattr(board, name) for name in columns], judges]))


def board_for(project: Project) -> Board:
    """The board as it is stored, or as it would be made."""
    stored = Board.objects.filter(project=project).first()
    return stored or Board(project=project, slug=project.slug, title=project.name)
