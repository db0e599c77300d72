"""The words that both files and tables know, with their labels: the choices of the tables of the rooms above.

Those of people and prompts stand with their tables, in `projects`.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _


class AnchorKind(models.TextChoices):
    WORDS = "words", _("Words of the response")
    PARAGRAPH = "paragraph", _("Something missing from a paragraph")
    RESPONSE = "response", _("Something missing from the response")


class Depth(models.TextChoices):
    THIN = "thin", _("Thin")
    THICK = "thick", _("Thick")
    SEPARATE = "separate", _("Counted apart")


class ReviewVerdict(models.TextChoices):
    KEEP = "keep", _("Keep")
    REJECT = "reject", _("Reject")
    DIFFERS = "differs", _("Differs by region")
    CORRECT = "correct", _("Correct")


class Preference(models.TextChoices):
    FIRST = "first", _("First is better")
    SECOND = "second", _("Second is better")
    TIE = "tie", _("Equally good")


class GoldRule(models.TextChoices):
    """How several grades of one response become one, where no expert has graded it (metrics.md)."""

    MAJORITY = "majority", _("Majority; ties by mean, then median")
    MEAN = "mean", _("Mean")
    DAWID_SKENE = "dawid-skene", _("Dawid-Skene: who confuses what with what, learned from who agrees with whom")
    MACE = "mace", _("MACE: how often each person looks, learned from who agrees with whom")


class Scope(models.TextChoices):
    CULTURAL = "cultural", _("Cultural")
    LINGUISTICS = "linguistics", _("Linguistics")


class Objectivity(models.TextChoices):
    OBJECTIVE = "objective", _("Objective")
    SUBJECTIVE = "subjective", _("Subjective")


class Explicitness(models.TextChoices):
    EXPLICIT = "explicit", _("Explicit")
    IMPLICIT = "implicit", _("Implicit")


class DifficultyOutcome(models.TextChoices):
    PERFECT = "perfect", _("Answered perfectly")
    PARTIAL = "partial", _("Answered in part")
    FAILED = "failed", _("Failed")


class GradeRole(models.TextChoices):
    REFERENCE = "reference", _("First grading")
    REGRADE = "regrade", _("Second grading")
    CALIBRATION = "calibration", _("Calibration")
    JUDGE = "judge", _("Judge")


class VerdictValue(models.TextChoices):
    """Positive criteria pass or fail; the error of a negative one is present or absent."""

    PASS = "pass", _("Pass")
    FAIL = "fail", _("Fail")
    PRESENT = "present", _("Error present")
    ABSENT = "absent", _("No such error")


class QuestionFormat(models.TextChoices):
    MCQ = "mcq", _("Multiple choice")
    GENERATION = "generation", _("Generation")
    FILL_IN = "fill-in-the-blank", _("Fill in the blank")
    SHORT_ANSWER = "short-answer", _("Short answer")


class Access(models.TextChoices):
    """How one comes by a model."""

    API = "api", _("By API only")
    OPEN = "open", _("Open weights")


class SizeClass(models.TextChoices):
    """By parameters in total (agreement/sizes.py)."""

    NANO = "nano", _("Nano: below 3.5 billion")
    SMALL = "small", _("Small: 3.5 to below 10 billion")
    MEDIUM = "medium", _("Medium: 10 to 35 billion")
    LARGE = "large", _("Large: above 35 billion")
    UNDISCLOSED = "undisclosed", _("Size undisclosed")


class ConfigurationKind(models.TextChoices):
    MODEL = "model", _("Target model")
    BASELINE = "baseline", _("Baseline")
    # Fixed answers that judges are asked about again and again, so that a judge that drifts is seen.
    ANCHOR = "anchor", _("Anchor answers")


class Standing(models.TextChoices):
    """Of a configuration on its board."""

    RANKED = "ranked", _("Ranked")
    PENDING = "pending", _("Pending a decision")
    WITHDRAWN = "withdrawn", _("Withdrawn")
