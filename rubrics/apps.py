from django.apps import AppConfig


class RubricsConfig(AppConfig):
    name = "rubrics"

    def ready(self) -> None:
        from projects.importing import registry
        from rubrics.importing.grades import Grades
        from rubrics.importing.rubrics import Rubrics
        from rubrics.presets import register_presets

        register_presets()
        registry.register(Rubrics)
        registry.register(Grades)
