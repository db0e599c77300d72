"""What the stories of rubrics in a browser share."""

from tests.frontend.conftest import bundle
from tests.rubrics.in_the_browser import at_work

__all__ = ["at_work", "bundle"]
