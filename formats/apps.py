from django.apps import AppConfig


class FormatsConfig(AppConfig):
    name = "formats"

    def ready(self) -> None:
        from formats.importing import registry
        from formats.importing.items import Items
        from formats.importing.localisations import Localisations
        from formats.importing.questions import Questions
        from formats.importing.templates import Templates

        for importer in (Items, Questions, Templates, Localisations):
            registry.register(importer)
