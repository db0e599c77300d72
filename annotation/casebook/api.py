"""The case book, for programs."""

from dataclasses import asdict
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response

from annotation.casebook.asking import asked_for
from annotation.casebook.finding import search
from annotation.casebook.kinds import Shown
from annotation.casebook.notes import note_case
from annotation.casebook.reading import Gate, come
from annotation.casebook.showing import show
from annotation.models import MAX_WHY, SettledCase
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.problems import Invalid

ASKED = (
    OpenApiParameter("q", str, description="words that stand in the case, as typed"),
    OpenApiParameter("category", str, description="short name of a category"),
    OpenApiParameter("type", str, description="short name of an error type"),
    OpenApiParameter("question", str, description="short name of a question type, or `STAGE:KEY` of a part"),
    OpenApiParameter("tag", str, description="tag of a criterion"),
    OpenApiParameter("outcome", str, description="what it came to, as the page offers it"),
    OpenApiParameter("language", str, description="tag of a variety"),
    OpenApiParameter("case", int, description="a case that others are to be like"),
    OpenApiParameter("answer", str, description="UUID of an answer of one's own that cases are to be like"),
    OpenApiParameter("page", int, description="from 1, twenty cases each"),
)


class SaidOfCaseSerializer(serializers.Serializer):
    verdict = serializers.CharField()
    comment = serializers.CharField()
    changes = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))


class SideOfCaseSerializer(serializers.Serializer):
    title = serializers.CharField()
    text = serializers.CharField()
    outcome = serializers.CharField()


class PointOfCaseSerializer(serializers.Serializer):
    text = serializers.CharField()
    beside = serializers.CharField()


class SettledCaseSerializer(serializers.Serializer):
    """A settled case, and what was said where the project shows it. `why` is a lead's, of an example.

    Of an error (`errors`) the marked words between what stands beside them; of ratings and verdicts what was asked
    (`title`), what it came to (`outcome`), and the beginning of each response (`sides`); of a rubric its criteria
    (`points`)."""

    id = serializers.IntegerField()
    kind = serializers.CharField()
    title = serializers.CharField()
    outcome = serializers.CharField()
    sides = serializers.ListField(child=SideOfCaseSerializer())
    points = PointOfCaseSerializer(many=True)
    language = serializers.CharField()
    is_kept = serializers.BooleanField()
    before = serializers.CharField()
    quote = serializers.CharField()
    after = serializers.CharField()
    type = serializers.CharField()
    criticality = serializers.CharField()
    category = serializers.CharField()
    explanation = serializers.CharField()
    correction = serializers.CharField()
    varies_by_region = serializers.BooleanField()
    why = serializers.CharField()
    is_excluded = serializers.BooleanField()
    said = SaidOfCaseSerializer(many=True)
    last_words = serializers.ListField(child=serializers.CharField())


class CaseBookSerializer(serializers.Serializer):
    """`state` says whether the book is open to the person; where it is not, there are no cases."""

    state = serializers.ChoiceField(Gate.choices)
    page = serializers.IntegerField()
    has_next = serializers.BooleanField()
    cases = SettledCaseSerializer(many=True)


class CaseNoteSerializer(serializers.Serializer):
    """An example with a sentence why, or what is not to be shown; neither takes back what was said."""

    why = serializers.CharField(max_length=MAX_WHY, required=False, allow_blank=True, default="")
    is_excluded = serializers.BooleanField(default=False)


class Cases(ProjectView):
    permission = "project.read"

    @extend_schema(parameters=list(ASKED), responses=CaseBookSerializer)
    def get(self, request: SignedInRequest, slug: str) -> Response:
        """Settled cases that the person may look up."""
        at_the_book = come(request.user, self.project)
        if at_the_book.gate != Gate.OPEN:
            return Response({"state": at_the_book.gate, "page": 1, "has_next": False, "cases": []})
        asked = request.query_params.dict()
        number = asked.get("page", "")
        whole = int(number) if number.isascii() and number.isdigit() and len(number) < 5 else 1
        page = search(at_the_book.reader, asked_for(at_the_book.reader, asked), whole)
        cases = [as_told(shown) for shown in show(at_the_book.reader, page.cases)]
        return Response({"state": Gate.OPEN, "page": page.number, "has_next": page.has_next, "cases": cases})


class OneCase(ProjectView):
    permission = "project.edit"

    @extend_schema(request=CaseNoteSerializer, responses={204: None})
    def put(self, request: SignedInRequest, slug: str, case: int) -> Response:
        """Put a case forward as an example, keep it from being shown, or take either back."""
        row = get_object_or_404(SettledCase.objects.select_related("project"), pk=case, project=self.project)
        said = CaseNoteSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        try:
            note_case(row, request.user, **said.validated_data)
        except Invalid as invalid:
            return refusal(invalid)
        return Response(status=status.HTTP_204_NO_CONTENT)


def as_told(shown: Shown) -> dict[str, Any]:
    called = {"id": shown.pk, "language": shown.about.variety.tag, "type": shown.error_type}
    called |= {"sides": [{"title": side.title, "text": side.text, "outcome": side.outcome} for side in shown.sides]}
    called["points"] = [asdict(each) for each in shown.points]
    said = [asdict(each) for each in shown.said]
    return (
        {name: getattr(shown, name, "") for name in map(str, SettledCaseSerializer().fields)} | called | {"said": said}
    )
