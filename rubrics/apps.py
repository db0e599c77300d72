from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RubricsConfig(AppConfig):
    name = "rubrics"

    def ready(self) -> None:
        from formats.importing import registry
        from projects import navigation, steps
        from projects.navigation import Entry
        from rubrics.authoring.task import AuthoringTaskType
        from rubrics.importing.gold import RubricGold
        from rubrics.importing.grades import Grades
        from rubrics.importing.rubrics import Rubrics
        from rubrics.presets import register_presets
        from rubrics.scoring import planning
        from rubrics.scoring.task import Calibration, Regrading, Scoring
        from rubrics.steps import STEPS
        from workflow import task_types

        register_presets()
        registry.register(Rubrics)
        registry.register(Grades)
        registry.register(RubricGold)
        for task_type in (AuthoringTaskType(), Scoring(), Regrading(), Calibration()):
            task_types.register(task_type)
        planning.connect()
        steps.register(*STEPS)
        navigation.register(
            Entry(27, _("Rubrics"), "rubrics", "rubrics.write", first=_("All rubrics"), area="rubrics"),
            Entry(28, _("To review"), "rubric-reviews", "rubrics.review", under="rubrics", area="rubrics"),
            Entry(29, _("Rules for rubrics"), "rubric-settings", "project.edit", under="rubrics", area="rubrics"),
            Entry(38, _("Calibration"), "calibration", "project.edit", under="stages", area="rubrics"),
        )
