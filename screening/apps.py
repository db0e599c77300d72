from django.apps import AppConfig


class ScreeningConfig(AppConfig):
    name = "screening"

    def ready(self) -> None:
        from screening import gates
        from screening.checks import following
        from screening.checks.source import due
        from workflow import admission

        admission.register_gate(gates.check_quiz_passed)
        admission.register_gate(gates.check_not_paused)
        admission.register_check_source(due)
        following.connect()
        gates.connect()
