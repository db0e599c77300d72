from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RubricsConfig(AppConfig):
    name = "rubrics"

    def ready(self) -> None:
        from projects import navigation, steps
        from projects.navigation import Entry
        from rubrics.authoring.task import AuthoringTaskType
        from rubrics.presets import register_presets
        from rubrics.steps import STEPS
        from workflow import task_types

        register_presets()
        task_types.register(AuthoringTaskType())
        steps.register(*STEPS)
        navigation.register(
            Entry(27, _("Rubrics"), "rubrics", "rubrics.write", first=_("All rubrics"), area="rubrics"),
            Entry(28, _("To review"), "rubric-reviews", "rubrics.review", under="rubrics", area="rubrics"),
            Entry(29, _("Rules for rubrics"), "rubric-settings", "project.edit", under="rubrics", area="rubrics"),
        )
