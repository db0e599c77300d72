from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RubricsConfig(AppConfig):
    name = "rubrics"

    def ready(self) -> None:
        from projects import navigation
        from projects.importing import registry
        from rubrics.authoring.task import AuthoringTaskType
        from rubrics.importing.gold import RubricGold
        from rubrics.importing.grades import Grades
        from rubrics.importing.rubrics import Rubrics
        from rubrics.presets import register_presets
        from rubrics.scoring import planning
        from rubrics.scoring.task import Calibration, Regrading, Scoring
        from workflow import task_types

        register_presets()
        registry.register(Rubrics)
        registry.register(Grades)
        registry.register(RubricGold)
        for task_type in (AuthoringTaskType(), Scoring(), Regrading(), Calibration()):
            task_types.register(task_type)
        planning.connect()
        navigation.register(
            navigation.Entry(38, _("Calibration"), "calibration", "project.edit", under="stages", area="rubrics")
        )
