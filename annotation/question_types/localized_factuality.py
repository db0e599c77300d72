"""Localized factuality: whether it is true and complete for this place, seen from within."""

from django.utils.translation import gettext_noop

from annotation.question_types.shipped import ShippedDimension, ShippedLevel, ShippedType

CULTURAL_PRACTICES = ShippedType(
    slug="cultural-practices",
    name=gettext_noop("Cultural practices"),
    definition=gettext_noop("Is what it says of customs, feasts and everyday life true here, and complete?"),
    levels=(
        ShippedLevel(
            gettext_noop("False or misleading about how people live here."),
            gettext_noop(
                "Customs are invented, taken from elsewhere or described with contempt or wonder. What was asked is "
                "not answered. Acting on it would be embarrassing."
            ),
        ),
        ShippedLevel(
            gettext_noop("Some of it is right, but there are mistakes or important gaps."),
            gettext_noop(
                "The custom is recognisable, yet parts are wrong, out of date or those of another group. Much is so "
                "general that it holds anywhere. Something people here consider essential is missing."
            ),
        ),
        ShippedLevel(
            gettext_noop("Right on the whole, without depth."),
            gettext_noop(
                "There are no plain errors; a statement may be too sweeping. It answers what was asked from what is "
                "widely known. Differences between regions or families do not come up."
            ),
        ),
        ShippedLevel(
            gettext_noop("True and to the point, seen from within."),
            gettext_noop(
                "The facts are right and are those that matter here. Everything asked is answered, in a neutral and "
                "respectful voice. People from here would agree."
            ),
        ),
        ShippedLevel(
            gettext_noop("True, complete and rich, even for people from here."),
            gettext_noop(
                "It knows what is done, why, and how it differs by region, faith or generation. It adds context that "
                "makes the practice understood. A local could learn something."
            ),
        ),
    ),
)

EXPRESSIONS_AND_CONCEPTS = ShippedType(
    slug="expressions-concepts",
    name=gettext_noop("Expressions and concepts"),
    definition=gettext_noop("Are local sayings, words and ideas explained or used with their true meaning?"),
    levels=(
        ShippedLevel(
            gettext_noop("The meaning is wrong or made up."),
            gettext_noop(
                "Expressions are invented, explained wrongly or confused with those of another language. The origin or "
                "use given is fiction. It would mislead anyone who relied on it."
            ),
        ),
        ShippedLevel(
            gettext_noop("Part of the meaning is there, part is wrong or missing."),
            gettext_noop(
                "The literal sense is right and the sense in use is not, or only one of several is known. Examples do "
                "not sound like anything said here. What was asked is half answered."
            ),
        ),
        ShippedLevel(
            gettext_noop("The meaning is right; use and background stay thin."),
            gettext_noop(
                "A dictionary would say the same. When, by whom and in what mood it is said is only hinted at. One "
                "claim may not hold in every region."
            ),
        ),
        ShippedLevel(
            gettext_noop("Meaning and use are right, with fitting examples."),
            gettext_noop(
                "It says what the expression means, when one uses it and what it implies. Examples are natural. All "
                "that was asked is answered."
            ),
        ),
        ShippedLevel(
            gettext_noop("Full command: meaning, use, origin and shades."),
            gettext_noop(
                "Connotations, relatives, regional variants and origin are right and well chosen. What is uncertain is "
                "said to be so. Even people who use the expression every day find it illuminating."
            ),
        ),
    ),
)

LOCAL_KNOWLEDGE = ShippedType(
    slug="local-knowledge",
    name=gettext_noop("Local knowledge"),
    definition=gettext_noop("Are places, people, institutions and rules of the place right, current and sufficient?"),
    levels=(
        ShippedLevel(
            gettext_noop("Plainly wrong, invented or about another place."),
            gettext_noop(
                "Names, places, laws or prices do not exist or belong elsewhere. What is needed to answer is missing. "
                "Relying on it would do harm or lead nowhere."
            ),
        ),
        ShippedLevel(
            gettext_noop("Errors or gaps in things that locals know."),
            gettext_noop(
                "Some facts are right and others wrong or long out of date. Much is general advice that fits any "
                "country. A local would have to check every statement."
            ),
        ),
        ShippedLevel(
            gettext_noop("Right in the main and enough to begin with."),
            gettext_noop(
                "No obvious error, though a claim may be imprecise. It names the best-known examples and stops there. "
                "The question is answered without detail."
            ),
        ),
        ShippedLevel(
            gettext_noop("Accurate and relevant to people who live here."),
            gettext_noop(
                "Every fact that can be checked is right and concerns this place. It does not explain what everybody "
                "here knows. One could act on it."
            ),
        ),
        ShippedLevel(
            gettext_noop("Expert: accurate in detail and well beyond the obvious."),
            gettext_noop(
                "Facts are exact, current and specific, down to names and procedures that only locals know. Useful "
                "context is added and regional differences are named. People from here would recommend it."
            ),
        ),
    ),
)

LOCALIZED_FACTUALITY = ShippedDimension(
    slug="localized-factuality",
    name=gettext_noop("Localized factuality"),
    definition=gettext_noop("Whether the response is true, complete and grounded in the local context."),
    types=(CULTURAL_PRACTICES, EXPRESSIONS_AND_CONCEPTS, LOCAL_KNOWLEDGE),
)
