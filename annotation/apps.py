from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "annotation"

    def ready(self) -> None:
        from annotation.importing.answers import Answers
        from projects.importing import registry

        registry.register(Answers)
