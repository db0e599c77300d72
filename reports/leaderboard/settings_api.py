"""The settings of a board, for programs: read and changed by the form that their page has."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from benchmark.access import fetch_version
from benchmark.models import Board, QuestionSet
from projects.api.access import ProjectView, SignedInRequest
from projects.api.conditions import seen_by, tagged
from projects.api.refusals import refusal
from projects.models import Project, Rater
from projects.problems import Invalid, problems_of_form
from providers.prices import in_dollars
from reports.leaderboard.settings import BoardForm, board_for, fingerprint, judges_of, store


class VersionSerializer(serializers.ModelSerializer):
    id = serializers.SlugField(source="slug")
    version = serializers.IntegerField(min_value=1)

    class Meta:
        model = QuestionSet
        fields = ["id", "version"]


class BoardSerializer(serializers.Serializer):
    """What is ranked, by whose judgement, and who may read it. `question_set` null: the newest that is frozen; `judges`
    none: every one from a laboratory that is not on the board; judges go by their names. `submission_money` is in
    billionths of a US dollar, whole cents. A setting that is left out stays as it is."""

    title = serializers.CharField(max_length=200)
    slug = serializers.SlugField(max_length=60)
    is_open = serializers.BooleanField()
    question_set = VersionSerializer(allow_null=True)
    judges = serializers.SlugRelatedField("name", queryset=Rater.objects.none(), many=True)
    published_judge = serializers.SlugRelatedField("name", queryset=Rater.objects.none(), allow_null=True)
    drift_limit = serializers.FloatField(min_value=0.01, max_value=10)
    max_exposures = serializers.IntegerField(min_value=1, allow_null=True)
    takes_submissions = serializers.BooleanField()
    submission_money = serializers.IntegerField(min_value=0, allow_null=True)
    submission_tokens = serializers.IntegerField(min_value=0, allow_null=True)
    freezes_control = serializers.BooleanField(
        write_only=True, required=False, help_text="Freeze the control for length and format now, once for a version"
    )

    def get_fields(self) -> dict[str, serializers.Field]:
        fields: dict[str, Any] = super().get_fields()
        if (project := self.context.get("project")) is not None:
            judges = judges_of(project)
            fields["judges"].child_relation.queryset = fields["published_judge"].queryset = judges
        return fields


class BoardSettings(ProjectView):
    """The settings of the project's board, as they would be made where it has none yet. PATCH changes them; refused
    (422) by the same rules as on the page, among them where `If-Match` is not the `ETag` that stands by now."""

    permission = "project.edit"

    @extend_schema(responses=BoardSerializer)
    def get(self, request: SignedInRequest, slug: str) -> Response:
        return shown(board_for(self.project))

    @extend_schema(request=BoardSerializer(partial=True), responses=BoardSerializer)
    def patch(self, request: SignedInRequest, slug: str) -> Response:
        serializer = BoardSerializer(data=request.data, partial=True, context={"project": self.project})
        serializer.is_valid(raise_exception=True)
        form = form_of(self.project, dict(serializer.validated_data) | {"seen": seen_by(request)})
        stored = store(form, request.user)
        if stored is None:
            return refusal(Invalid(problems_of_form(form)))
        return shown(stored)


def shown(board: Board) -> Response:
    return tagged(Response(BoardSerializer(board).data), fingerprint(board))


def form_of(project: Project, said: dict[str, Any]) -> BoardForm:
    """The form as its page would send it: what stands, with what is said in its place. Http404 for a version that there
    is not."""
    board = board_for(project)
    fields = dict(BoardForm(project, instance=board).initial)
    if said.get("question_set") is not None:
        asked = said["question_set"]
        said["question_set"] = fetch_version(project, asked["slug"], asked["version"]).pk
    if said.get("submission_money") is not None:
        said["submission_money"] = in_dollars(said["submission_money"])
    fields |= said
    fields["judges"] = [judge.pk for judge in fields["judges"]]
    return BoardForm(project, fields, instance=board)
