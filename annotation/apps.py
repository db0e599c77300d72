from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "annotation"

    def ready(self) -> None:
        from annotation.reviews.task import AnnotatorReviews, ValidatorReviews
        from workflow.task_types import register

        register(AnnotatorReviews())
        register(ValidatorReviews())
