"""The four dimensions and fifteen question types that a project of ratings begins with, in our own words.

Dimensions and types are those of the MENLO paper (section 2 and appendix A.3); what each grade means is written
anew. All of it is marked for translation: a rater reads it in the language of the interface for as long as the
project has not rewritten it (`Level.summarised`, `Level.detailed` and their like). One module for each dimension.
"""

from annotation.question_types.fluency import FLUENCY
from annotation.question_types.localized_factuality import LOCALIZED_FACTUALITY
from annotation.question_types.localized_tone import LOCALIZED_TONE
from annotation.question_types.shipped import LABELS, ShippedDimension, ShippedLevel, ShippedType
from annotation.question_types.tone import TONE

DIMENSIONS = (FLUENCY, TONE, LOCALIZED_TONE, LOCALIZED_FACTUALITY)

__all__ = ["DIMENSIONS", "LABELS", "ShippedDimension", "ShippedLevel", "ShippedType"]
