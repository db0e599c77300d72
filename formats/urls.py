from django.urls import path

from formats import prompts_api, views
from formats.project_file import api, pages

urlpatterns = [
    path("schemas/<slug:kind>.schema.json", views.schema, name="import-schema"),
    path("projects/new/file/", pages.create, name="project-create-from-file"),
    path("p/<slug:slug>/file/", pages.project_file, name="project-file"),
    path("p/<slug:slug>/file/download/", pages.download, name="project-file-download"),
    path("p/<slug:slug>/clone/", pages.clone_project, name="project-clone"),
    path("p/<slug:slug>/compare/", pages.compare, name="project-compare"),
    path("api/v1/project-files/", api.ProjectFiles.as_view(), name="api-project-files"),
    path("api/v1/projects/<slug:slug>/file/", api.ProjectFile.as_view(), name="api-project-file"),
    path("api/v1/projects/<slug:slug>/prompts/", prompts_api.PromptFile.as_view(), name="api-prompts"),
    path("api/v1/projects/<slug:slug>/differences/", api.Differences.as_view(), name="api-project-differences"),
]
