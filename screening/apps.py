from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ScreeningConfig(AppConfig):
    name = "screening"

    def ready(self) -> None:
        from projects import navigation, steps
        from projects.navigation import Entry
        from screening import gates
        from screening.checks import following, kinds
        from screening.checks.kinds.ratings import PairChecks, ResponseChecks
        from screening.checks.kinds.spans import SpanChecks
        from screening.checks.source import due
        from screening.quiz.kinds import register
        from screening.quiz.kinds.choice import Choice
        from screening.quiz.kinds.rating import SampleRating
        from screening.quiz.kinds.spans import SampleMarking
        from screening.quiz.kinds.true_false import TrueFalse
        from screening.steps import STEPS
        from workflow import admission

        admission.register_gate(gates.check_quiz_passed)
        admission.register_gate(gates.check_not_paused)
        admission.register_check_source(due)
        register(TrueFalse(), Choice(), SampleRating(), SampleMarking())
        for kind in (PairChecks(), ResponseChecks(), SpanChecks()):
            kinds.register(kind)
        following.connect()
        gates.connect()
        steps.register(*STEPS)
        navigation.register(
            Entry(37, _("Screening"), "screening", "project.edit", first=_("Quizzes"), area="ratings"),
            Entry(38, _("Checks"), "checks", "project.edit", under="screening", area="ratings"),
            Entry(39, _("People under watch"), "watch", "project.edit", under="screening", area="ratings"),
        )
