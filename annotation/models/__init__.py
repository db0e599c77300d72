from annotation.models.acceptance import Acceptance, AcceptanceMember, ProposalKind
from annotation.models.casebook import (
    ERRORS,
    MAX_WHY,
    CaseNote,
    CaseWord,
    IndexedAnswer,
    IndexedKind,
    SettledCase,
)
from annotation.models.casebook import MAX_WORD as MAX_CASE_WORD
from annotation.models.pairs import DesignKind, PairDesign
from annotation.models.parts import SpanPart
from annotation.models.questionnaires import QuestionnaireAnswer
from annotation.models.ratings import Rating, RatingSettings, UnparseablePolicy
from annotation.models.refinement import Refinement
from annotation.models.spans import (
    PROPERLY_ANCHORED,
    Adjudication,
    Anchored,
    CheckMarking,
    Classification,
    CodingSample,
    ErrorCategory,
    ErrorGroup,
    ErrorScheme,
    GoldAnswer,
    GoldError,
    GroupProposal,
    Marking,
    Review,
    SourceErrors,
    Span,
)
from annotation.models.taxonomy import CategoryChange, ChangeKind
from formats.choices import AnchorKind, Depth, GoldRule, Preference, ReviewVerdict

__all__ = [
    "ERRORS",
    "MAX_CASE_WORD",
    "MAX_WHY",
    "PROPERLY_ANCHORED",
    "Acceptance",
    "AcceptanceMember",
    "Adjudication",
    "AnchorKind",
    "Anchored",
    "CaseNote",
    "CaseWord",
    "CategoryChange",
    "ChangeKind",
    "CheckMarking",
    "Classification",
    "CodingSample",
    "Depth",
    "DesignKind",
    "ErrorCategory",
    "ErrorGroup",
    "ErrorScheme",
    "GoldAnswer",
    "GoldError",
    "GoldRule",
    "GroupProposal",
    "IndexedAnswer",
    "IndexedKind",
    "Marking",
    "PairDesign",
    "Preference",
    "ProposalKind",
    "QuestionnaireAnswer",
    "Rating",
    "RatingSettings",
    "Refinement",
    "Review",
    "ReviewVerdict",
    "SettledCase",
    "SourceErrors",
    "Span",
    "SpanPart",
    "UnparseablePolicy",
]
