from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "annotation"

    def ready(self) -> None:
        from annotation import following
        from annotation.importing.answers import Answers
        from annotation.importing.gold import GoldFile
        from annotation.presets import register_presets
        from annotation.reviews.task import AnnotatorReviews, ValidatorReviews
        from annotation.spans.task import SpansTaskType
        from projects.importing import registry
        from workflow import task_types

        register_presets()
        registry.register(Answers)
        registry.register(GoldFile)
        for task_type in (SpansTaskType(), AnnotatorReviews(), ValidatorReviews()):
            task_types.register(task_type)
        following.connect()
