from django.apps import AppConfig


class ReportsConfig(AppConfig):
    name = "reports"

    def ready(self) -> None:
        from django.db.models.signals import post_migrate, pre_migrate

        from projects.rehearsing import FILLED_BY_TRIGGERS
        from reports.areas import declare
        from reports.dashboard.freshness.triggers import TABLE, after_migration, before_migration
        from reports.every_project import EVERY_PROJECT
        from reports.leaderboard.area import LEADERBOARD
        from reports.questionnaires.area import QUESTIONNAIRES
        from reports.ratings.area import RATINGS
        from reports.rubrics.area import RUBRICS
        from reports.spans.area import SPANS

        FILLED_BY_TRIGGERS.add(TABLE)
        pre_migrate.connect(before_migration, sender=self)
        post_migrate.connect(after_migration, sender=self)
        for area in (EVERY_PROJECT, SPANS, RUBRICS, RATINGS, QUESTIONNAIRES, LEADERBOARD):
            declare(area)
