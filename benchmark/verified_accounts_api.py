"""Accounts that speak for a laboratory, for programs of administrators of the installation alone."""

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchmark.models import VerifiedAccount
from benchmark.submissions.verifying import MAX_LABORATORY, take_back, verify
from projects.api.access import SignedInRequest
from projects.api.refusals import refusal
from projects.api.views import ById
from projects.problems import Invalid


class OfAdministrators(IsAuthenticated):
    """To everybody else there is nothing here, as on the page."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if not super().has_permission(request, view):
            return False
        if request.user.is_anonymous or not request.user.is_administrator:
            raise Http404
        return True


class VerifiedAccountSerializer(serializers.ModelSerializer):
    id = serializers.IntegerField(source="pk")
    email = serializers.CharField(source="user.email")
    laboratory = serializers.CharField(source="laboratory.name")

    class Meta:
        model = VerifiedAccount
        fields = ["id", "email", "laboratory"]


class NewVerifiedAccountSerializer(serializers.Serializer):
    """`make` makes the account where there is none, in no project; its owner sets a pass phrase by “forgotten”."""

    email = serializers.CharField()
    laboratory = serializers.CharField(max_length=MAX_LABORATORY)
    make = serializers.BooleanField(default=False)


class VerifiedAccounts(ListAPIView):
    """Every account that speaks for a laboratory. POST verifies one (201); said again, the later one holds."""

    serializer_class = VerifiedAccountSerializer
    permission_classes = [OfAdministrators]
    pagination_class = ById
    queryset = VerifiedAccount.objects.none()

    def get_queryset(self) -> QuerySet[VerifiedAccount]:
        return VerifiedAccount.objects.select_related("user", "laboratory")

    @extend_schema(request=NewVerifiedAccountSerializer, responses={201: VerifiedAccountSerializer})
    def post(self, request: SignedInRequest) -> Response:
        said = NewVerifiedAccountSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        values = said.validated_data
        try:
            row = verify(values["email"], values["laboratory"], request.user, is_made=values["make"])
        except Invalid as refused:
            return refusal(refused)
        return Response(VerifiedAccountSerializer(row).data, status=status.HTTP_201_CREATED)


class VerifiedAccountView(APIView):
    """DELETE lets the account speak for no laboratory any more; what it has submitted stays."""

    permission_classes = [OfAdministrators]

    @extend_schema(request=None, responses={204: None})
    def delete(self, request: SignedInRequest, pk: int) -> Response:
        take_back(
            get_object_or_404(VerifiedAccount.objects.select_related("user", "laboratory"), user=pk), request.user
        )
        return Response(status=status.HTTP_204_NO_CONTENT)
