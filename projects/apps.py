from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


def add_language_varieties(sender: AppConfig, using: str, **kwargs: Any) -> None:
    """The varieties that ship with Mizan are there after every migration; those added by hand stay as they are."""
    from projects.varieties import add_shipped_varieties

    add_shipped_varieties(using)


class ProjectsConfig(AppConfig):
    name = "projects"

    def ready(self) -> None:
        from allauth.account.signals import user_signed_up

        from projects import account_audit, steps
        from projects.accounts import accept_after_signup
        from projects.first_steps import STEPS
        from projects.health import register_own_parts
        from projects.navigation import Entry, register

        account_audit.connect()
        post_migrate.connect(add_language_varieties, sender=self)
        user_signed_up.connect(accept_after_signup)
        steps.register(*STEPS)
        register_own_parts()
        register(
            Entry(0, _("Overview"), "project", "project.read"),
            Entry(5, _("Guidelines"), "guidelines", "project.read"),
            Entry(20, _("Import"), "import", "data.import"),
            Entry(25, _("People"), "people", "people.read"),
            Entry(90, _("Settings"), "project-settings", "project.edit"),
            Entry(95, _("Audit log"), "audit", "audit.read", under="project-settings"),
        )
