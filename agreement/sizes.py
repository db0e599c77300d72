"""Size classes of models, by their number of parameters.

Source: K. Ouda, ABBL (2025), section 4.3; its table leaves open where 10 and 35 belong: small ends below 10, medium
holds 10 and 35.
"""

import math

NANO, SMALL, MEDIUM, LARGE, UNDISCLOSED = "nano", "small", "medium", "large", "undisclosed"
SIZE_CLASSES = (NANO, SMALL, MEDIUM, LARGE, UNDISCLOSED)


def size_class(billions: float | None) -> str:
    """The class of a model with so many billions of parameters in total (not active); None where undisclosed.

    nano below 3.5, small from 3.5 to below 10, medium from 10 to 35, large above 35.
    Raises ValueError for a number that is not positive: an unknown size is None, never 0.
    """
    if billions is None:
        return UNDISCLOSED
    if not (billions > 0 and math.isfinite(billions)):
        raise ValueError("a number of parameters is positive; an undisclosed one is None")
    if billions < 3.5:
        return NANO
    if billions < 10:
        return SMALL
    return MEDIUM if billions <= 35 else LARGE
