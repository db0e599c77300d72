"""The case book of a project: what is settled, by which words it is found, and what the lead says of one case.

Cases and their words are derived by a job (annotation/casebook/indexing.py) and can be made again at any time; they go
with what they are about. What the lead says of a case is kept by its subject and its key.
"""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.spans import ErrorCategory, GoldAnswer
from projects.models import LanguageVariety, Project, Prompt, Response, ResponsePair, User

# The kind of case that is an error in a text; others are declared by their areas (annotation/casebook/kinds.py).
ERRORS = "errors"

# Of a folded word; what is longer is cut.
MAX_WORD = 40
# Of what a case is filed under, with the name of the filter before it.
MAX_LABEL = 200
MAX_WHY = 500


class IndexedAnswer(models.Model):
    """As of which writing of its gold a response stands in the case book."""

    gold = models.OneToOneField(GoldAnswer, models.CASCADE, primary_key=True, related_name="indexed_answer")
    as_of = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.gold_id} as of {self.as_of}"


class IndexedKind(models.Model):
    """In which state the answers were when cases of this kind were last put into the book (`CaseKind.state`)."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20)
    state = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "kind"], name="indexed_kind_once")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.project_id}"


class SettledCase(models.Model):
    """One settled case. Of kind ERRORS: with `is_kept` the GoldError of the response with this key, else the rejected
    Span, and it goes with the gold. Of other kinds what `key` names of the response, of the pair whose first
    response that is, or of the prompt.

    It only says where to look. What is shown is read from those rows, and from the answers as they are by then.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="settled_cases")
    kind = models.CharField(max_length=20, default=ERRORS)
    gold = models.ForeignKey(GoldAnswer, models.CASCADE, null=True, blank=True, related_name="settled_cases")
    response = models.ForeignKey(Response, models.CASCADE, null=True, blank=True, related_name="settled_cases")
    pair = models.ForeignKey(ResponsePair, models.CASCADE, null=True, blank=True, related_name="settled_cases")
    prompt = models.ForeignKey(Prompt, models.CASCADE, null=True, blank=True, related_name="settled_cases")
    key = models.CharField(max_length=80)
    is_kept = models.BooleanField(default=True)
    variety = models.ForeignKey(LanguageVariety, models.PROTECT, related_name="+")
    category = models.ForeignKey(ErrorCategory, models.SET_NULL, null=True, blank=True, related_name="+")
    # Of its words and labels, so that what has not changed is not written again.
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["gold", "key", "is_kept"], name="settled_case_once"),
            models.UniqueConstraint(
                fields=["response", "kind", "key"], condition=Q(pair=None), name="settled_case_of_response_once"
            ),
            models.UniqueConstraint(fields=["pair", "kind", "key"], name="settled_case_of_pair_once"),
            models.UniqueConstraint(fields=["prompt", "kind", "key"], name="settled_case_of_prompt_once"),
            models.CheckConstraint(
                condition=Q(kind=ERRORS, gold__isnull=False, response=None, pair=None, prompt=None)
                | (~Q(kind=ERRORS) & Q(gold=None, response__isnull=False, prompt=None))
                | (~Q(kind=ERRORS) & Q(gold=None, response=None, pair=None, prompt__isnull=False)),
                name="settled_case_has_a_subject",
            ),
        ]
        indexes = [
            models.Index(fields=["project", "variety", "id"], name="settled_case_by_variety"),
            models.Index(fields=["project", "category", "id"], name="settled_case_by_category"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.gold_id or self.response_id or self.prompt_id}: {self.key}"


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


class CaseLabel(models.Model):
    """What a case is filed under, as `filter:value` (annotation/casebook/filters.py), by label first."""

    case = models.ForeignKey(SettledCase, models.CASCADE, related_name="labels", db_index=False)
    project = models.ForeignKey(Project, models.CASCADE, related_name="+", db_index=False)
    label = models.CharField(max_length=MAX_LABEL)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["case", "label"], name="case_label_once")]
        indexes = [models.Index(fields=["project", "label", "case"], name="case_label_found")]

    def __str__(self) -> str:
        return self.label


class CaseNote(models.Model):
    """What a lead says of a settled case: an example, with a sentence why, or not to be shown. Of a case about a pair
    `response` is the pair's first; of one about a prompt there is none."""

    kind = models.CharField(max_length=20, default=ERRORS)
    response = models.ForeignKey(Response, models.CASCADE, null=True, blank=True, related_name="case_notes")
    pair = models.ForeignKey(ResponsePair, models.CASCADE, null=True, blank=True, related_name="case_notes")
    prompt = models.ForeignKey(Prompt, models.CASCADE, null=True, blank=True, related_name="case_notes")
    key = models.CharField(max_length=80)
    is_kept = models.BooleanField()
    is_excluded = models.BooleanField(default=False)
    why = models.CharField(_("why it is an example"), max_length=MAX_WHY, blank=True)
    written_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    written_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["response", "kind", "key", "is_kept"], condition=Q(pair=None), name="case_note_once"
            ),
            models.UniqueConstraint(fields=["pair", "kind", "key"], name="case_note_of_pair_once"),
            models.UniqueConstraint(fields=["prompt", "kind", "key"], name="case_note_of_prompt_once"),
            models.CheckConstraint(
                condition=Q(response__isnull=False, prompt=None) | Q(response=None, pair=None, prompt__isnull=False),
                name="case_note_has_a_subject",
            ),
            # An example says why; what is not to be shown is no example.
            models.CheckConstraint(
                condition=Q(is_excluded=True, why="") | (Q(is_excluded=False) & ~Q(why="")), name="case_note_says_one"
            ),
        ]

    def __str__(self) -> str:
        return self.why[:40] or "excluded"
