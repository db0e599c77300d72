from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "annotation"

    def ready(self) -> None:
        from annotation import receivers
        from annotation.reviews.task import AnnotatorReviews, ValidatorReviews
        from annotation.spans.task import SpansTaskType

        receivers.connect(SpansTaskType, AnnotatorReviews, ValidatorReviews)
