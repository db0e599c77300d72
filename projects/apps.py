from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


def add_language_varieties(sender: AppConfig, using: str, **kwargs: Any) -> None:
    """The varieties that ship with Mizan are there after every migration; those added by hand stay as they are."""
    from projects.varieties import add_shipped_varieties

    add_shipped_varieties(using)


class ProjectsConfig(AppConfig):
    name = "projects"

    def ready(self) -> None:
        from allauth.account.signals import user_signed_up

        from projects import account_audit
        from projects.accounts import accept_after_signup
        from projects.health import register_own_parts

        account_audit.connect()
        post_migrate.connect(add_language_varieties, sender=self)
        user_signed_up.connect(accept_after_signup)
        register_own_parts()
