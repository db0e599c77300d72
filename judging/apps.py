from django.apps import AppConfig


class JudgingConfig(AppConfig):
    name = "judging"

    def ready(self) -> None:
        from judging.kinds import register
        from judging.kinds.spans import Spans

        register(Spans())
