from django.apps import AppConfig


class JudgingConfig(AppConfig):
    name = "judging"

    def ready(self) -> None:
        from benchmark.answering import register_source
        from benchmark.sending import register_collectors
        from benchmark.submissions import ending, spending
        from jobs import listing
        from judging.collecting import submitted
        from judging.collecting.configured import collectors
        from judging.collecting.difficulty import asker
        from judging.collecting.receiving import receive_ended
        from judging.collecting.target_runs import Collecting
        from judging.engine import run_kinds
        from judging.engine.judge_runs import Judging
        from judging.engine.listing import Runs
        from judging.kinds.questionnaire.chosen import follow
        from rubrics.authoring.difficulty import register_asker
        from workflow.renaming import register_follower

        run_kinds.register(Judging(), Collecting())
        listing.register(Runs())
        register_asker(asker)
        register_source(receive_ended)
        spending.register(submitted.spending_of)
        ending.register_stopper(submitted.stop)
        register_collectors(collectors)
        register_follower(follow)
