from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReportsConfig(AppConfig):
    name = "reports"

    def ready(self) -> None:
        from projects.navigation import Entry, register

        register(
            Entry(60, _("Results"), "results", "dashboard.read"),
            Entry(62, _("Responses"), "responses", "answers.read"),
            Entry(64, _("Team"), "team", "dashboard.read"),
            Entry(70, _("Gold"), "gold", "gold.export"),
        )
