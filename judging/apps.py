from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class JudgingConfig(AppConfig):
    name = "judging"

    def ready(self) -> None:
        from jobs import listing
        from jobs.kinds import register as register_jobs
        from judging.collecting.difficulty import asker
        from judging.collecting.target_runs import Collecting
        from judging.engine.judge_runs import Judging
        from judging.engine.listing import Runs
        from judging.engine.rereading_jobs import RereadingJob
        from judging.engine.run_kinds import COLLECTING, JUDGING
        from judging.engine.run_kinds import register as register_runs
        from judging.engine.shards import RunShard
        from judging.ensembles import register as register_panels
        from judging.ensembles.assembly_jobs import PanelAssembly
        from judging.ensembles.ratings import RatingPanels
        from judging.ensembles.rubric import RubricPanels
        from judging.ensembles.spans import SpanPanels
        from judging.kinds import register
        from judging.kinds.categories.kind import Categories
        from judging.kinds.groups.kind import Groups
        from judging.kinds.pairwise.kind import Pairwise
        from judging.kinds.pointwise.kind import Pointwise
        from judging.kinds.rubric.kind import RubricGrading
        from judging.kinds.spans.kind import Spans
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
