from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class JudgingConfig(AppConfig):
    name = "judging"

    def ready(self) -> None:
        from jobs import listing
        from jobs.kinds import register as register_jobs
        from judging.collecting.target_runs import Collecting
        from judging.difficulty import asker
        from judging.judge_runs import Judging
        from judging.kinds import register
        from judging.kinds.categories import Categories
        from judging.kinds.groups import Groups
        from judging.kinds.pairwise import Pairwise
        from judging.kinds.pointwise import Pointwise
        from judging.kinds.rubric import RubricGrading
        from judging.kinds.spans import Spans
        from judging.listing import Runs
        from judging.panels import register as register_panels
        from judging.panels.assembly_jobs import PanelAssembly
        from judging.panels.ratings import RatingPanels
        from judging.panels.rubric import RubricPanels
        from judging.panels.spans import SpanPanels
        from judging.rereading_jobs import RereadingJob
        from judging.run_kinds import COLLECTING, JUDGING
        from judging.run_kinds import register as register_runs
        from judging.shards import RunShard
        from judging.steps import STEPS
        from projects import navigation, steps
        from rubrics.authoring.difficulty import register_asker

        register_runs(Judging(), Collecting())
        register_jobs(RunShard(JUDGING, _("Judging")), RunShard(COLLECTING, _("Collecting responses")))
        register_jobs(PanelAssembly(), RereadingJob())
        listing.register(Runs())
        for kind in (Spans(), Groups(), Categories(), RubricGrading(), Pointwise(), Pairwise()):
            register(kind)
        for panel_kind in (SpanPanels(), RubricPanels(), RatingPanels()):
            register_panels(panel_kind)
        steps.register(*STEPS)
        register_asker(asker)
        navigation.register(
            navigation.Entry(45, _("Target models"), "targets", "judges.run", under="rubrics", area="rubrics"),
            navigation.Entry(50, _("Judges"), "judges", "judges.run"),
            navigation.Entry(51, _("Prompts of judges"), "judge-prompts", "judges.run", under="judges"),
            navigation.Entry(52, _("Panels"), "panels", "judges.run", under="judges"),
        )
