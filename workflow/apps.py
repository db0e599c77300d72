from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class WorkflowConfig(AppConfig):
    name = "workflow"

    def ready(self) -> None:
        from projects import steps
        from projects.navigation import Entry, register
        from workflow.steps import STEPS

        steps.register(*STEPS)
        register(
            Entry(6, _("Questions and answers"), "question-log", "project.read", under="guidelines"),
            Entry(10, _("My work"), "work", "work.claim"),
            Entry(30, _("Work"), "stages", "project.edit", first=_("Stages")),
            Entry(35, _("Progress"), "progress", "dashboard.read", under="stages"),
            Entry(36, _("Questions of raters"), "questions", "item.read", under="stages"),
        )
