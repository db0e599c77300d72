from functools import partial

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReportsConfig(AppConfig):
    name = "reports"

    def ready(self) -> None:
        from django.db.models.signals import post_migrate, pre_migrate

        from jobs import kinds
        from projects import steps
        from projects.navigation import Entry, register
        from projects.rehearsing import FILLED_BY_TRIGGERS
        from reports import dashboards, dataset_card, gold_formats, rating_card, rubric_card, warming
        from reports.costs.page import COSTS
        from reports.dashboard.index import keep_cards
        from reports.demo_jobs import DemoData
        from reports.exporting import GoldExport
        from reports.rated_list import RATED
        from reports.ratings.page import RATERS, RATINGS
        from reports.revision_triggers import TABLE, after_migration, before_migration
        from reports.rubrics.page import RUBRICS
        from reports.signals import SIGNALS
        from reports.spans.page import SPANS
        from reports.steps import STEPS
        from reports.team import TEAM

        FILLED_BY_TRIGGERS.add(TABLE)
        pre_migrate.connect(before_migration, sender=self)
        post_migrate.connect(after_migration, sender=self)
        dashboards.register(SPANS, RUBRICS, RATINGS, RATERS, COSTS)
        for dashboard in (SPANS, RUBRICS, RATINGS, RATERS, COSTS):
            warming.register(dashboard, partial(keep_cards, dashboard=dashboard))
        warming.register(SIGNALS)
        warming.register(TEAM)
        warming.register(RATED)
        steps.register(*STEPS)
        kinds.register(GoldExport(), warming.WarmFigures(), DemoData())
        gold_formats.register(dataset_card.SPAN_GOLD)
        gold_formats.register(rubric_card.RUBRIC_GOLD)
        gold_formats.register(rating_card.RATING_GOLD)
        register(
            Entry(60, _("Results"), "results", "dashboard.read", area="spans"),
            Entry(61, _("Rubric results"), "rubric-results", "dashboard.read", area="rubrics"),
            Entry(
                62, _("Graded responses"), "rubric-responses", "answers.read", under="rubric-results", area="rubrics"
            ),
            Entry(61, _("Rating results"), "rating-results", "dashboard.read", area="ratings"),
            Entry(61, _("Raters"), "rater-results", "dashboard.read", under="rating-results", area="ratings"),
            Entry(62, _("Rated pairs"), "rated-pairs", "answers.read", under="rating-results", area="ratings"),
            Entry(53, _("Cost and speed"), "judge-costs", "dashboard.read", under="judges"),
            Entry(40, _("Team"), "team", "dashboard.read", under="stages"),
            Entry(41, _("Signals"), "signals", "dashboard.read", under="stages"),
            Entry(62, _("Responses"), "responses", "answers.read", under="results", area="spans"),
            Entry(70, _("Gold"), "gold", "gold.export"),
        )
