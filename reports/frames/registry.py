"""The frames there are. Code of Mizan asks here; `reports.frames` is for notebooks."""

from reports.frames.coding import codings, refinements
from reports.frames.frame import Frame
from reports.frames.grading import grades, verdicts
from reports.frames.judging import calls
from reports.frames.marking import markings, spans
from reports.frames.questionnaire_gold import questionnaire_gold
from reports.frames.questionnaires import questionnaires
from reports.frames.rating import preferences, ratings
from reports.frames.reviewing import reviews
from reports.frames.same_issues import same_issues
from reports.frames.scoring import scores
from reports.frames.sentences import sentences
from reports.frames.texts import texts

#: By name, in the order in which they are shown.
FRAMES: dict[str, Frame] = {
    frame.name: frame
    for frame in (
        *(
            spans,
            markings,
            reviews,
            codings,
            refinements,
            ratings,
            preferences,
            questionnaires,
            questionnaire_gold,
            verdicts,
            grades,
            calls,
        ),
        *(sentences, same_issues, scores, texts),
    )
}
