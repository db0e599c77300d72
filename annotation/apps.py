from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "annotation"

    def ready(self) -> None:
        from annotation.importing.answers import Answers
        from annotation.presets import register_presets
        from projects.importing import registry

        register_presets()
        registry.register(Answers)
