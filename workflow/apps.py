from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class WorkflowConfig(AppConfig):
    name = "workflow"

    def ready(self) -> None:
        from projects.navigation import Entry, register

        register(
            Entry(10, _("My work"), "work", "work.claim"),
            Entry(30, _("Stages"), "stages", "project.edit"),
            Entry(35, _("Progress"), "progress", "dashboard.read"),
        )
