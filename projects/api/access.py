"""The same permission check as on pages: a view of a project names the permission it needs."""

from typing import Any

from rest_framework.request import Request
from rest_framework.views import APIView

from projects.access import fetch_project
from projects.models import Project, User


class SignedInRequest(Request):
    """A request that passed the check for a signed-in person: never made by us, only named in signatures."""

    user: User


class ProjectView(APIView):
    """Base of every view under `/api/v1/projects/<slug>/`. `permission` names a row of the permission matrix."""

    permission = "project.read"
    project: Project

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.project = fetch_project(request.user, kwargs["slug"], self.permission)
