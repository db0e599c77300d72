from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "annotation"

    def ready(self) -> None:
        from annotation.presets import register_presets
        from annotation.spans.task import SpansTaskType
        from workflow.task_types import register

        register_presets()
        register(SpansTaskType())
