"""Projects, their responses and raters, for programs."""

import django_filters
from django.db.models import QuerySet
from rest_framework.exceptions import NotFound
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.pagination import CursorPagination

from projects.api.access import ProjectView
from projects.api.serializers import ProjectSerializer, RaterSerializer, ResponseSerializer, VarietySerializer
from projects.held_back import canary_of
from projects.laboratories import laboratory_slug
from projects.languages.tags import NotATag, read_tag
from projects.models import LanguageVariety, Project, Rater, RaterKind, Response
from projects.varieties import described


class ById(CursorPagination):
    ordering = "pk"
    page_size_query_param = "page_size"
    max_page_size = 1000


class ProjectList(ListAPIView):
    """The projects you take part in."""

    serializer_class = ProjectSerializer
    pagination_class = ById

    def get_queryset(self) -> QuerySet[Project]:
        return Project.objects.visible_to(self.request.user)


class ProjectDetail(ProjectView, RetrieveAPIView):
    serializer_class = ProjectSerializer

    def get_object(self) -> Project:
        return self.project


class VarietyList(ListAPIView):
    """Every language variety an item can be written in."""

    serializer_class = VarietySerializer
    pagination_class = ById
    queryset = LanguageVariety.objects.all()


class VarietyDetail(RetrieveAPIView):
    """What follows from a language tag, used here or not; 404 with a suggestion where it is none."""

    serializer_class = VarietySerializer
    queryset = LanguageVariety.objects.none()

    def get_object(self) -> LanguageVariety:
        try:
            return described(read_tag(self.kwargs["tag"]))
        except NotATag as refused:
            raise NotFound(str(refused)) from None


class ResponseFilter(django_filters.FilterSet):
    variety = django_filters.CharFilter(field_name="variety__tag")
    model = django_filters.CharFilter(field_name="target_model__name")
    prompt_id = django_filters.CharFilter(field_name="prompt__key")

    class Meta:
        model = Response
        fields: list[str] = []


class ResponseList(ProjectView, ListAPIView):
    """The responses of a project, with their prompts and target models."""

    permission = "item.read"
    serializer_class = ResponseSerializer
    pagination_class = ById
    filterset_class = ResponseFilter
    queryset = Response.objects.none()

    def get_queryset(self) -> QuerySet[Response]:
        if getattr(self, "swagger_fake_view", False):
            return Response.objects.none()
        responses = self.project.responses.annotate(laboratory_slug=laboratory_slug(), canary=canary_of())
        return responses.select_related("prompt", "variety", "target_model")


class RaterFilter(django_filters.FilterSet):
    kind = django_filters.ChoiceFilter(choices=RaterKind.choices)

    class Meta:
        model = Rater
        fields: list[str] = []


class RaterList(ProjectView, ListAPIView):
    """The raters of a project, people by pseudonym."""

    permission = "answers.read"
    serializer_class = RaterSerializer
    pagination_class = ById
    filterset_class = RaterFilter
    queryset = Rater.objects.none()

    def get_queryset(self) -> QuerySet[Rater]:
        if getattr(self, "swagger_fake_view", False):
            return Rater.objects.none()
        return self.project.raters.select_related("laboratory").prefetch_related("varieties")
