from django.apps import AppConfig


class DemoConfig(AppConfig):
    name = "demo"

    def ready(self) -> None:
        from demo.jobs import DemoData
        from jobs import kinds

        kinds.register(DemoData())
