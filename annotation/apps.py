from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AnnotationConfig(AppConfig):
    name = "annotation"

    def ready(self) -> None:
        from annotation import following
        from annotation.importing.answers import Answers
        from annotation.importing.gold import GoldFile
        from annotation.importing.rating_gold import RatingGold
        from annotation.localising.task import LocalisingTaskType
        from annotation.overlap_jobs import ProposeOverlaps
        from annotation.pairs.task import PairsTaskType, RatingsTaskType
        from annotation.presets import register_presets
        from annotation.reviews.task import AnnotatorReviews, ValidatorReviews
        from annotation.spans.task import SpansTaskType
        from annotation.steps import STEPS
        from formats.importing import registry
        from jobs import kinds as job_kinds
        from projects import navigation, steps
        from projects.navigation import Entry
        from workflow.task_types import TaskType, register

        register_presets()
        registry.register(Answers)
        registry.register(GoldFile)
        registry.register(RatingGold)
        kinds: list[type[TaskType]] = [SpansTaskType, AnnotatorReviews, ValidatorReviews]
        kinds += [LocalisingTaskType, PairsTaskType, RatingsTaskType]
        for kind in kinds:
            register(kind())
        job_kinds.register(ProposeOverlaps())
        following.connect()
        steps.register(*STEPS)
        navigation.register(
            Entry(57, _("Refinement"), "adjudication", "spans.refine", first=_("Open errors"), area="spans"),
            Entry(58, _("Groups"), "group-proposals", "spans.refine", under="adjudication", area="spans"),
            Entry(59, _("Categories"), "classification", "spans.refine", under="adjudication", area="spans"),
            Entry(
                10, _("Question types"), "question-types", "project.edit", first=_("All question types"), area="ratings"
            ),
            Entry(
                11, _("Rules for ratings"), "rating-settings", "project.edit", under="question-types", area="ratings"
            ),
            Entry(12, _("Templates"), "templates", "project.edit", under="question-types", area="ratings"),
            Entry(13, _("Splits"), "template-splits", "project.edit", under="question-types", area="ratings"),
        )
