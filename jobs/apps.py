from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class JobsConfig(AppConfig):
    name = "jobs"

    def ready(self) -> None:
        from jobs import listing
        from jobs.heartbeat import check_workers
        from projects import health

        listing.register(listing.Jobs())
        health.register_part(
            "workers",
            check_workers,
            label=_("Workers"),
            consequence=_(
                "Pages and saving go on. Imports, judging, figures of large projects and all other work in the "
                "background wait, and go on by themselves when workers are there."
            ),
        )
