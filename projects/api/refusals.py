"""What programs are told where something cannot be done."""

from rest_framework import status
from rest_framework.response import Response

from projects.problems import Invalid


def refusal(invalid: Invalid) -> Response:
    """422 with every problem, as the page would tell them."""
    problems = [problem.as_json() for problem in invalid.problems]
    return Response({"problems": problems}, status=status.HTTP_422_UNPROCESSABLE_ENTITY)
