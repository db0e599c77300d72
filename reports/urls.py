from django.urls import URLPattern, URLResolver, include, path

from reports import api
from reports.areas import areas
from reports.dashboard.dashboards import Dashboard, registered
from reports.views import dataset, feedback, foreign, frames, gold, plan, results, signals, snapshots, team, verifying

SNAPSHOTS = "api/v1/projects/<slug:slug>/gold/snapshots/"


def of_dashboard(dashboard: Dashboard) -> list[URLPattern]:
    """The addresses of a dashboard: its index, and of each finding the page and the files."""
    page = dashboard.page
    index = f"p/<slug:slug>/{dashboard.route or f'{page}/'}"
    named = {"page": page}
    return [
        path(index, results.index, named, name=page),
        path(f"{index}<slug:table_id>.csv", results.table_csv, named, name=f"{page}-csv"),
        path(f"{index}<slug:table_id>.json", results.table_json, named, name=f"{page}-json"),
        *(
            [path(f"{index}verified/", verifying.verified_page, named, name=f"{page}-verified")]
            * bool(dashboard.alphas)
        ),
        path(f"{index}<slug:table_id>/", results.finding, named, name=f"{page}-finding"),
    ]


# Areas' own pages come first, and the longest addresses of dashboards: a finding has its id where they have a word.
urlpatterns: list[URLPattern | URLResolver] = [
    *(path("", include(area.pages)) for area in areas().values() if area.pages),
    *(
        pattern
        for dashboard in sorted(registered(), key=lambda one: one.route.count("/"), reverse=True)
        for pattern in of_dashboard(dashboard)
    ),
    path("p/<slug:slug>/my-work/marks/", feedback.feedback, name="my-feedback"),
    path("p/<slug:slug>/feedback/", feedback.rules, name="feedback-rules"),
    path("p/<slug:slug>/team/", team.team, name="team"),
    path("p/<slug:slug>/signals/", signals.signals, name="signals"),
    path("p/<slug:slug>/plan/", plan.plan, name="plan"),
    path("p/<slug:slug>/gold/", gold.gold_page, name="gold"),
    path("p/<slug:slug>/gold/file/", gold.gold_file, name="gold-file"),
    path("p/<slug:slug>/gold/prepare/", gold.gold_prepare, name="gold-prepare"),
    path("p/<slug:slug>/gold/card/", gold.gold_card, name="gold-card"),
    path("p/<slug:slug>/gold/snapshots/", snapshots.snapshot_take, name="gold-snapshot-take"),
    path("p/<slug:slug>/gold/snapshots/<int:pk>/file/", snapshots.snapshot_file, name="gold-snapshot-file"),
    path("p/<slug:slug>/gold/snapshots/<int:pk>/changes/", snapshots.snapshot_changes, name="gold-snapshot-changes"),
    path("p/<slug:slug>/frames/", frames.frames_page, name="frames"),
    path("p/<slug:slug>/frames/<slug:name>/prepare/", frames.frame_prepare, name="frame-prepare"),
    path("p/<slug:slug>/frames/<slug:name>.<slug:file_format>", frames.frame_file, name="frame-file"),
    path("p/<slug:slug>/foreign-files/prepare/", foreign.foreign_prepare, name="foreign-prepare"),
    path("p/<slug:slug>/dataset/prepare/", dataset.dataset_prepare, name="dataset-prepare"),
    path("api/v1/projects/<slug:slug>/foreign-files/", foreign.ForeignFiles.as_view(), name="api-foreign-files"),
    path("api/v1/projects/<slug:slug>/dataset/", dataset.DatasetFiles.as_view(), name="api-dataset"),
    path("api/v1/projects/<slug:slug>/frames/", frames.Frames.as_view(), name="api-frames"),
    path("api/v1/projects/<slug:slug>/frames/<slug:name>/", frames.FrameFile.as_view(), name="api-frame"),
    path("api/v1/projects/<slug:slug>/gold/", gold.GoldApi.as_view(), name="api-gold"),
    path("api/v1/projects/<slug:slug>/gold/files/", gold.GoldFiles.as_view(), name="api-gold-files"),
    path(f"{SNAPSHOTS}", snapshots.GoldSnapshots.as_view(), name="api-gold-snapshots"),
    path(f"{SNAPSHOTS}<int:pk>/file/", snapshots.GoldSnapshotFile.as_view(), name="api-gold-snapshot-file"),
    path(f"{SNAPSHOTS}<int:pk>/changes/", snapshots.GoldSnapshotChanges.as_view(), name="api-gold-snapshot-changes"),
    path("api/v1/projects/<slug:slug>/group-quality/", api.GroupQuality.as_view(), name="api-group-quality"),
    path("api/v1/projects/<slug:slug>/agreement/", api.Agreement.as_view(), name="api-agreement"),
]
