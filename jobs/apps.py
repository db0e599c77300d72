from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class JobsConfig(AppConfig):
    name = "jobs"

    def ready(self) -> None:
        from jobs import kinds, listing
        from jobs.beating import check_workers
        from jobs.importing import ImportFile
        from projects import health, navigation

        kinds.register(ImportFile())
        listing.register(listing.Jobs())
        navigation.register(navigation.Entry(80, _("Jobs"), "jobs", "jobs.run"))
        health.register_part(
            "workers",
            check_workers,
            label=_("Workers"),
            consequence=_(
                "Pages and saving go on. Imports, judging, figures of large projects and all other work in the "
                "background wait, and go on by themselves when workers are there."
            ),
        )
