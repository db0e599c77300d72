"""Changing categories of errors after work has begun, for programs."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response

from annotation.category_changes import Part, can_undo
from annotation.category_requests import Wanted, as_told, carry_out, described
from annotation.models import ChangeKind
from annotation.taxonomy import version
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.problems import Invalid

MOST_CHANGES = 100


class CategoryPartSerializer(serializers.Serializer):
    name = serializers.CharField(max_length=80)
    definition = serializers.CharField(max_length=10_000, required=False, allow_blank=True, default="")
    example = serializers.CharField(max_length=10_000, required=False, allow_blank=True, default="")


class CategoryChangeSerializer(serializers.Serializer):
    """A change by short names: `rename` and `split` take `category`, `merge` takes `categories` and `into`, `undo` the
    `number` of a change. `dry_run` says what it would touch and changes nothing."""

    kind = serializers.ChoiceField(ChangeKind.choices)
    category = serializers.CharField(required=False)
    categories = serializers.ListField(child=serializers.CharField(), max_length=1000, required=False)
    into = serializers.CharField(required=False)
    name = serializers.CharField(max_length=80, required=False)
    definition = serializers.CharField(max_length=10_000, required=False, allow_blank=True)
    example = serializers.CharField(max_length=10_000, required=False, allow_blank=True)
    parts = CategoryPartSerializer(many=True, required=False)
    number = serializers.IntegerField(min_value=1, max_value=2**31 - 1, required=False)
    reason = serializers.CharField(max_length=300, required=False, allow_blank=True)
    dry_run = serializers.BooleanField(default=False)


class TouchedByChangeSerializer(serializers.Serializer):
    """Marks and reviews that name these categories, codings, final errors, points of their own that count no longer,
    and rules of answers, which speak of what stands in their place from then on."""

    spans = serializers.IntegerField()
    reviews = serializers.IntegerField()
    codings = serializers.IntegerField()
    gold = serializers.IntegerField()
    weights = serializers.IntegerField()
    rules = serializers.IntegerField()


class CategoryChangeMadeSerializer(serializers.Serializer):
    """What it touches, what stood before and stands after by short name; its number, null in a dry run; and the job
    that brings the final errors up to date, null where that is done."""

    touched = TouchedByChangeSerializer()
    before = serializers.DictField()
    after = serializers.DictField()
    number = serializers.IntegerField(allow_null=True)
    job = serializers.CharField(allow_null=True)


class OfCategorySerializer(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    definition = serializers.CharField()
    example = serializers.CharField()
    merged_into = serializers.CharField(allow_null=True)
    is_split = serializers.BooleanField()


class OfChangeSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    kind = serializers.CharField()
    reason = serializers.CharField()
    made_at = serializers.DateTimeField()
    before = serializers.DictField()
    after = serializers.DictField()
    undoes = serializers.IntegerField(allow_null=True)
    can_be_undone = serializers.BooleanField()


class TaxonomySerializer(serializers.Serializer):
    """All categories, also those that are no longer offered, the number of the last change, and the last hundred."""

    version = serializers.IntegerField()
    categories = OfCategorySerializer(many=True)
    changes = OfChangeSerializer(many=True)


class Categories(ProjectView):
    permission = "project.edit"

    @extend_schema(responses=TaxonomySerializer)
    def get(self, request: SignedInRequest, slug: str) -> Response:
        """The categories of errors and how they were changed."""
        rows = self.project.error_categories.select_related("merged_into")
        free = can_undo(self.project)
        changes = self.project.category_changes.select_related("undoes")[:MOST_CHANGES]
        return Response(
            {
                "version": version(self.project),
                "categories": [
                    {
                        **{name: getattr(one, name) for name in ("slug", "name", "definition", "example", "is_split")},
                        "merged_into": one.merged_into.slug if one.merged_into else None,
                    }
                    for one in rows
                ],
                "changes": [described(change, free) for change in changes],
            }
        )

    @extend_schema(
        request=CategoryChangeSerializer,
        responses={200: CategoryChangeMadeSerializer, 201: CategoryChangeMadeSerializer},
    )
    def post(self, request: SignedInRequest, slug: str) -> Response:
        """Rename, merge or split categories, or take a change back; no answer is rewritten."""
        said = CategoryChangeSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        values: dict[str, Any] = dict(said.validated_data)
        dry_run = values.pop("dry_run")
        values["parts"] = [Part(**part) for part in values.get("parts", ())]
        try:
            made = carry_out(self.project, Wanted(**values), request.user, dry_run=dry_run)
        except Invalid as invalid:
            return refusal(invalid)
        return Response(as_told(made), status=status.HTTP_200_OK if dry_run else status.HTTP_201_CREATED)
