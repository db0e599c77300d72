from django.apps import AppConfig


class ScreeningConfig(AppConfig):
    name = "screening"

    def ready(self) -> None:
        from annotation.casebook.hiding import register
        from screening import eligibility
        from screening.background import eligibility as background
        from screening.checks import receivers
        from screening.checks.source import due
        from screening.quiz.texts import examined
        from workflow.eligibility import register_check_source, register_eligibility_check

        register_eligibility_check(background.check_background)
        register_eligibility_check(eligibility.check_quiz_passed)
        register_eligibility_check(eligibility.check_not_paused)
        register_check_source(due)
        register(examined)
        receivers.connect()
        eligibility.connect()
        background.connect()
