from django.apps import AppConfig


class RubricsConfig(AppConfig):
    name = "rubrics"

    def ready(self) -> None:
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
