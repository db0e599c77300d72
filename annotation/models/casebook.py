"""The case book of a project: which errors are settled, by which words they are found, and what the lead says of one.

Cases and their words are derived by a job (annotation/casebook/indexing.py) and can be made again at any time; they go
with the gold of their response. What the lead says of a case is kept by the response and the error's key.
"""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.spans import ErrorCategory, GoldAnswer
from projects.models import LanguageVariety, Project, Response, User

# Of a folded word; what is longer is cut.
MAX_WORD = 40
MAX_WHY = 500


class IndexedAnswer(models.Model):
    """As of which writing of its gold a response stands in the case book."""

    gold = models.OneToOneField(GoldAnswer, models.CASCADE, primary_key=True, related_name="indexed_answer")
    as_of = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.gold_id} as of {self.as_of}"


class SettledCase(models.Model):
    """One settled error: of `is_kept` the GoldError of the response with this key, else the rejected Span.

    It only says where to look. What is shown is read from that row, and from the verdicts as they are by then.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="settled_cases")
    gold = models.ForeignKey(GoldAnswer, models.CASCADE, related_name="settled_cases")
    key = models.CharField(max_length=64)
    is_kept = models.BooleanField()
    variety = models.ForeignKey(LanguageVariety, models.PROTECT, related_name="+")
    category = models.ForeignKey(ErrorCategory, models.SET_NULL, null=True, blank=True, related_name="+")
    # Of its words, so that what has not changed is not written again.
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["gold", "key", "is_kept"], name="settled_case_once")]
        indexes = [
            models.Index(fields=["project", "variety", "id"], name="settled_case_by_variety"),
            models.Index(fields=["project", "category", "id"], name="settled_case_by_category"),
        ]

    def __str__(self) -> str:
        return f"{self.gold_id}: {self.key}"


class CaseWord(models.Model):
    """That a folded word stands in a case: the inverted index, by word first."""

    case = models.ForeignKey(SettledCase, models.CASCADE, related_name="words", db_index=False)
    project = models.ForeignKey(Project, models.CASCADE, related_name="+", db_index=False)
    word = models.CharField(max_length=MAX_WORD)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["case", "word"], name="case_word_once")]
        indexes = [models.Index(fields=["project", "word", "case"], name="case_word_found")]

    def __str__(self) -> str:
        return self.word


class CaseNote(models.Model):
    """What a lead says of a settled error: an example, with a sentence why, or not to be shown."""

    response = models.ForeignKey(Response, models.CASCADE, related_name="case_notes")
    key = models.CharField(max_length=64)
    is_kept = models.BooleanField()
    is_excluded = models.BooleanField(default=False)
    why = models.CharField(_("why it is an example"), max_length=MAX_WHY, blank=True)
    written_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    written_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["response", "key", "is_kept"], name="case_note_once"),
            # An example says why; what is not to be shown is no example.
            models.CheckConstraint(
                condition=Q(is_excluded=True, why="") | (Q(is_excluded=False) & ~Q(why="")), name="case_note_says_one"
            ),
        ]

    def __str__(self) -> str:
        return self.why[:40] or "excluded"
