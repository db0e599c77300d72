from django.urls import path

from jobs.api import archives, imports, mappings
from jobs.api import jobs as api
from jobs.api.taking_back import TakeBack
from jobs.listing import VERBS
from jobs.views import archives as archive_pages
from jobs.views import importing, installation, mapping, pages

JOB = "p/<slug:slug>/jobs/<uuid:uuid>/"
OF_NO_PROJECT = "jobs/<uuid:uuid>/"
API_IMPORTS = "api/v1/projects/<slug:slug>/imports/"
API_MAPPINGS = "api/v1/projects/<slug:slug>/import-mappings/"
API_JOB = "api/v1/projects/<slug:slug>/jobs/<uuid:uuid>/"

urlpatterns = [
    path("p/<slug:slug>/archive/take/", archive_pages.take, name="archive-take"),
    path("projects/new/archive/", archive_pages.bring_in, name="archive-bring-in"),
    path("api/v1/projects/<slug:slug>/archive/", archives.ProjectArchive.as_view(), name="api-archive"),
    path("api/v1/project-archives/", archives.ProjectArchives.as_view(), name="api-archives"),
    path("p/<slug:slug>/import/", importing.import_data, name="import"),
    path("p/<slug:slug>/import/<uuid:uuid>/", mapping.map_columns, name="import-map"),
    path("p/<slug:slug>/imports/<uuid:uuid>/take-back/", importing.take_back_import, name="import-take-back"),
    path(
        "api/v1/projects/<slug:slug>/imports/<uuid:uuid>/take-back/",
        TakeBack.as_view(),
        name="api-import-take-back",
    ),
    path("p/<slug:slug>/import/mappings/<int:pk>/", mapping.mapping_file, name="import-mapping"),
    path("p/<slug:slug>/import/mappings/<int:pk>/delete/", mapping.delete_mapping, name="import-mapping-delete"),
    path(f"{API_IMPORTS}preview/", mappings.ImportPreview.as_view(), name="api-import-preview"),
    path(API_MAPPINGS, mappings.Mappings.as_view(), name="api-import-mappings"),
    path(
        "api/v1/projects/<slug:slug>/import-mappings/<int:pk>/", mappings.Mapping.as_view(), name="api-import-mapping"
    ),
    path(API_IMPORTS, imports.Imports.as_view(), name="api-imports"),
    path("p/<slug:slug>/jobs/", pages.jobs, name="jobs"),
    path(JOB, pages.job, name="job"),
    path(f"{JOB}file/", pages.job_file, name="job-file"),
    *(path(f"{JOB}{verb}/", pages.act, {"verb": verb}, name=f"job-{verb}") for verb in VERBS),
    path("jobs/", installation.jobs, name="installation-jobs"),
    path(OF_NO_PROJECT, installation.job, name="installation-job"),
    *(
        path(f"{OF_NO_PROJECT}{verb}/", installation.act, {"verb": verb}, name=f"installation-job-{verb}")
        for verb in VERBS
    ),
    path("api/v1/projects/<slug:slug>/jobs/", api.JobList.as_view(), name="api-jobs"),
    path(API_JOB, api.JobDetail.as_view(), name="api-job"),
    path(f"{API_JOB}file/", api.JobFile.as_view(), name="api-job-file"),
    *(path(f"{API_JOB}{verb}/", api.JobAct.as_view(verb=verb), name=f"api-job-{verb}") for verb in VERBS),
]
