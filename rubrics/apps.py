from django.apps import AppConfig


class RubricsConfig(AppConfig):
    name = "rubrics"

    def ready(self) -> None:
        from rubrics.scoring import planning

        planning.connect()
