"""What a reader may narrow figures and lists of error spans by, and the settings of the formulas."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from agreement.spans import THRESHOLD
from annotation.models import Depth
from projects.models import Vocabulary
from projects.vocabularies import words
from reports.dashboard.scope import SETS, ResponseScope, declared, name_of, one_of

SOME, ONE_TO_ONE = "some", "one-to-one"
MISSED, KEPT = "missed", "kept"


@dataclass(frozen=True)
class SpanScope(ResponseScope):
    """The defaults are those of the study that JuICE published.

    criticality  keep errors of this weight alone, on both sides.
    matching     "some": a span is matched when some span of the other side is close enough; "one-to-one": by the
                 optimal assignment.
    threshold    a pair of spans matches when its word IoU is strictly greater.
    """

    criticality: str = declared(
        _("Criticality"),
        "errors of this weight alone, by the short name of one of the project's words",
        choices=lambda project, state: words(project, Vocabulary.CRITICALITY).choices(),
    )
    matching: str = one_of(
        _("Spans match"),
        [(ONE_TO_ONE, _("each with one at most"))],
        "some (default) or one-to-one",
        default=SOME,
        use=SETS,
        values=(SOME, ONE_TO_ONE),
        problem=_("Matching is “some” or “one-to-one”."),
        nothing=_("with any close enough"),
    )
    threshold: float = declared(
        _("Overlap above"),
        "word IoU that a match must exceed, 0.15 by default; at 1 the very same words",
        default=THRESHOLD,
        use=SETS,
        bounds=(0, 1, 0.05),
        problem=_("The threshold is a number from 0 to 1."),
    )


@dataclass(frozen=True)
class SpanListScope(ResponseScope):
    """What the list of responses is narrowed by; see `listing.selected`."""

    rater: str = declared(
        _("Rater"), choices=lambda project, state: [(one.pseudonym, name_of(one)) for one in project.raters.all()]
    )
    detector: str = one_of(_("Marked by"), [("human", _("People")), ("judge", _("Judges"))])
    category: str = declared(
        _("Category"),
        choices=lambda project, state: list(project.error_categories.offered().values_list("slug", "name")),
    )
    depth: str = one_of(_("Thin or thick"), Depth.choices)
    outcome: str = one_of(
        _("With spans"),
        [
            (KEPT, _("kept")),
            ("rejected", _("rejected")),
            ("open", _("left open by the policy")),
            ("pending", _("waiting for verdicts")),
            (MISSED, _("missed: in gold, not marked")),
        ],
    )
