from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "annotation"

    def ready(self) -> None:
        from annotation.importing.answers import Answers
        from annotation.presets import register_presets
        from annotation.spans.task import SpansTaskType
        from projects.importing import registry
        from workflow import task_types

        register_presets()
        registry.register(Answers)
        task_types.register(SpansTaskType())
