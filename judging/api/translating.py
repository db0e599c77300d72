"""Drafts of localisations, for programs."""

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.response import Response

from jobs.api.jobs import JobWithResultSerializer, accepted
from judging.translating.beginning import begin_translating, translators, varieties_of
from judging.translating.forms import DOLLAR
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.api.views import ById
from projects.models import LocalisationDraft
from projects.problems import Invalid
from projects.prompts_as_templates import as_templates


class DraftSerializer(serializers.ModelSerializer):
    """What a model drafted of a template, and what a native speaker made of it: `outcome` is validated, edited or
    rejected, empty until then; `edits` are [start, end, start, end] in code points of the draft and the translation."""

    template = serializers.CharField(source="template.key")
    variety = serializers.CharField(source="variety.tag")
    target_model = serializers.CharField(source="target_model.name")
    prompt_id = serializers.CharField(source="localisation.prompt.key", default=None)
    by = serializers.CharField(source="localisation.rater.pseudonym", default=None)

    class Meta:
        model = LocalisationDraft
        fields = [
            *("id", "template", "variety", "text", "values", "target_model", "is_simulated", "prompt", "cost"),
            *("tokens", "outcome", "prompt_id", "by", "edits", "created_at"),
        ]


class NewDraftsSerializer(serializers.Serializer):
    """`money` in US dollars."""

    model = serializers.CharField(max_length=200)
    varieties = serializers.ListField(child=serializers.CharField(max_length=80), max_length=200, required=False)
    money = serializers.DecimalField(max_digits=16, decimal_places=9, min_value=0, required=False, allow_null=True)
    tokens = serializers.IntegerField(min_value=1, max_value=10**12, required=False, allow_null=True)


class DraftList(ProjectView, ListAPIView):
    """Drafts of localisations by models. POST has a model draft what has neither a localisation nor a draft yet, in
    these languages or in all that people of the project write in: 202, a worker does it."""

    permission = "judges.run"
    serializer_class = DraftSerializer
    pagination_class = ById
    queryset = LocalisationDraft.objects.none()

    def get_queryset(self) -> QuerySet[LocalisationDraft]:
        if getattr(self, "swagger_fake_view", False):
            return LocalisationDraft.objects.none()
        rows = LocalisationDraft.objects.filter(template__project=self.project)
        return rows.select_related("template", "variety", "target_model", "localisation__prompt", "localisation__rater")

    @extend_schema(request=NewDraftsSerializer, responses={202: JobWithResultSerializer})
    def post(self, request: SignedInRequest, slug: str) -> Response:
        said = NewDraftsSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        values, known = said.validated_data, {variety.tag: variety for variety in varieties_of(self.project)}
        tags = values.get("varieties", list(known))
        if unknown := [tag for tag in tags if tag not in known]:
            message = _("Nobody annotates or writes in: %(tags)s.") % {"tags": ", ".join(unknown[:20])}
            raise serializers.ValidationError({"varieties": [message]})
        money = values.get("money")
        try:
            job = begin_translating(
                self.project,
                translators(self.project).filter(target_model__name=values["model"]).first(),
                [known[tag] for tag in dict.fromkeys(tags)],
                None if money is None else int(money * DOLLAR),
                values.get("tokens"),
                by=request.user,
            )
        except Invalid as refused:
            return refusal(refused)
        return accepted(job, request)


class MadeTemplatesSerializer(serializers.Serializer):
    templates = serializers.IntegerField()


class TemplatesOfPrompts(ProjectView):
    permission = "project.edit"

    @extend_schema(request=None, responses=MadeTemplatesSerializer)
    def post(self, request: SignedInRequest, slug: str) -> Response:
        """Make a template of each prompt that was written as it is, so that it can be drafted in other languages; how
        many. A prompt that has one is passed over."""
        return Response({"templates": as_templates(self.project, request.user)})
