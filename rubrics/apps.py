from django.apps import AppConfig


class RubricsConfig(AppConfig):
    name = "rubrics"

    def ready(self) -> None:
        from rubrics.authoring.task import AuthoringTaskType
        from rubrics.presets import register_presets
        from workflow import task_types

        register_presets()
        task_types.register(AuthoringTaskType())
