from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate, post_save


def add_language_varieties(sender: AppConfig, using: str, **kwargs: Any) -> None:
    """The varieties that ship with Mizan are there after every migration; those added by hand stay as they are."""
    from projects.models import LanguageVariety
    from projects.varieties import add_shipped_varieties

    # Whoever migrates one room of an empty database may not have got so far.
    if LanguageVariety._meta.db_table in connections[using].introspection.table_names():
        add_shipped_varieties(using)


def begin_with_words(sender: Any, instance: Any, created: bool, raw: bool = False, **kwargs: Any) -> None:
    """A project has the words of its preset and areas from the first moment, however it is made."""
    if created and not raw:
        from projects.vocabularies import give_words

        for area in dict.fromkeys((instance.preset, *instance.areas)):
            give_words(instance, area)


class ProjectsConfig(AppConfig):
    name = "projects"

    def ready(self) -> None:
        from allauth.account.signals import user_signed_up

        from projects import account_audit
        from projects.accounts import accept_after_signup
        from projects.health import register_own_parts

        account_audit.connect()
        post_save.connect(begin_with_words, sender="projects.Project")
        post_migrate.connect(add_language_varieties, sender=self)
        user_signed_up.connect(accept_after_signup)
        register_own_parts()
