from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class JudgingConfig(AppConfig):
    name = "judging"

    def ready(self) -> None:
        from judging.kinds import register
        from judging.kinds.spans import Spans
        from judging.steps import STEPS
        from projects import navigation, steps

        register(Spans())
        steps.register(*STEPS)
        navigation.register(navigation.Entry(50, _("Judges"), "judges", "judges.run"))
