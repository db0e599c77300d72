from django.apps import AppConfig
from django.db.models.signals import post_migrate


def add_language_varieties(sender: AppConfig, using: str, **kwargs) -> None:
    """The varieties that ship with Mizan are there after every migration; those added by hand stay as they are."""
    from projects.varieties import add_shipped_varieties

    add_shipped_varieties(using)


class ProjectsConfig(AppConfig):
    name = "projects"

    def ready(self) -> None:
        from projects.importing import registry
        from projects.importing.items import Items

        post_migrate.connect(add_language_varieties, sender=self)
        registry.register(Items)
