from django.apps import AppConfig


class BenchmarkConfig(AppConfig):
    name = "benchmark"

    def ready(self) -> None:
        from benchmark.held_back import canary_of
        from projects.held_back import register

        register(canary_of)
