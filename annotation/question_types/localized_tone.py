"""Localized tone: whether the voice is that of people of this place."""

from django.utils.translation import gettext_noop

from annotation.question_types.shipped import ShippedDimension, ShippedLevel, ShippedType

CULTURAL_RELEVANCE = ShippedType(
    slug="cultural-relevance",
    name=gettext_noop("Cultural relevance"),
    definition=gettext_noop("Does it speak from within the local culture, with sensitivity?"),
    levels=(
        ShippedLevel(
            gettext_noop("Foreign or offensive to people who live here."),
            gettext_noop(
                "The response is written for another country, mixes cultures up or touches what is held dear without "
                "noticing. It may explain people to themselves as a curiosity. A local reader is put off."
            ),
        ),
        ShippedLevel(
            gettext_noop("A local colour here and there, but the view is from outside."),
            gettext_noop(
                "A few names or customs appear, as clichés or out of place. The rest could have been written for "
                "anywhere. A local reader finds it slightly tactless."
            ),
        ),
        ShippedLevel(
            gettext_noop("Nothing jars, yet little belongs to this place."),
            gettext_noop(
                "The response fits the culture and avoids what would disturb. Local references are few and well known. "
                "It would do just as well in a neighbouring country."
            ),
        ),
        ShippedLevel(
            gettext_noop("Clearly at home: references and attitudes fit."),
            gettext_noop(
                "Examples, values and ways of seeing are those of people here, and sensitive matters are handled with "
                "tact. Local references carry the answer. A local reader recognises their own world."
            ),
        ),
        ShippedLevel(
            gettext_noop("As only someone from here would put it."),
            gettext_noop(
                "Allusions, examples and unspoken rules are used with complete ease, and differences between regions "
                "or generations are respected. Nothing is explained that locals know. One would never guess at a "
                "machine."
            ),
        ),
    ),
)

FORMALITY = ShippedType(
    slug="formality",
    name=gettext_noop("Formality and politeness"),
    definition=gettext_noop("Are the level of politeness and the conventions of the genre right for the situation?"),
    levels=(
        ShippedLevel(
            gettext_noop("The register is wrong for the situation throughout."),
            gettext_noop(
                "It is far too stiff or far too familiar for these people and this occasion, or has no sense of the "
                "difference. Forms of address would embarrass or offend. It could not be used."
            ),
        ),
        ShippedLevel(
            gettext_noop("The register slips: clear mistakes of politeness."),
            gettext_noop(
                "Levels are mixed, or an honorific, a pronoun or a greeting does not fit the relation between the "
                "speakers. The intention can be seen. A native speaker would have to correct it first."
            ),
        ),
        ShippedLevel(
            gettext_noop("Acceptable: no blunder, and not quite what one would say."),
            gettext_noop(
                "The level of politeness is about right and is kept up. Better suited formulas exist and are not used. "
                "Nobody would be offended, and nobody impressed."
            ),
        ),
        ShippedLevel(
            gettext_noop("The right register, with the formulas that belong to it."),
            gettext_noop(
                "Forms of address, greetings and set phrases suit the people and the occasion. A letter, an "
                "application or a message looks as it does here. It could be used after a quick look."
            ),
        ),
        ShippedLevel(
            gettext_noop("Perfectly pitched, down to the local conventions."),
            gettext_noop(
                "Nuances of distance, respect and warmth are exactly those the situation asks for. Layout and formulas "
                "follow local practice in every detail. It shows the tact of an experienced native writer."
            ),
        ),
    ),
)

HUMOR = ShippedType(
    slug="humor",
    name=gettext_noop("Humour"),
    definition=gettext_noop("Is it funny to people here, in a way that fits the occasion?"),
    levels=(
        ShippedLevel(
            gettext_noop("Not funny, or funny at the wrong people's expense."),
            gettext_noop(
                "There is no joke where one was asked for, or it cannot be understood in this language. Or it mocks "
                "what must not be mocked here. The room would fall silent."
            ),
        ),
        ShippedLevel(
            gettext_noop("An attempt that falls flat."),
            gettext_noop(
                "One sees where to laugh, but the joke is translated, explained to death or outworn. The wordplay "
                "works in another language. It may be a little out of place."
            ),
        ),
        ShippedLevel(
            gettext_noop("Harmless and understandable; a polite smile."),
            gettext_noop(
                "The humour works in the language and offends nobody. It is general and could be told anywhere. One "
                "has heard it before."
            ),
        ),
        ShippedLevel(
            gettext_noop("Funny, and in the local way."),
            gettext_noop(
                "It plays with language, habits or situations that people here know. Timing and tone suit the "
                "occasion. Most local readers would smile and some would laugh."
            ),
        ),
        ShippedLevel(
            gettext_noop("Really witty: people here would pass it on."),
            gettext_noop(
                "The joke is fresh and lives on local allusions or wordplay that could not be had in another language. "
                "It is bold and tactful at once. It sounds like the funniest person one knows."
            ),
        ),
    ),
)

LINGUISTIC_NUANCE = ShippedType(
    slug="linguistic-nuance",
    name=gettext_noop("Linguistic nuance"),
    definition=gettext_noop("Does it use the expressions, idioms and shades of the local variety?"),
    levels=(
        ShippedLevel(
            gettext_noop("The wrong variety, or idioms misunderstood."),
            gettext_noop(
                "It is written in another country's or another region's variety, or takes local expressions literally. "
                "Idioms are invented or turned into nonsense. People here would not talk like this."
            ),
        ),
        ShippedLevel(
            gettext_noop("Local expressions are tried and often miss."),
            gettext_noop(
                "Some expressions are local and sit in the wrong place, or they alternate with those of other "
                "varieties. The standard language shines through where nobody would use it. Shades of meaning are lost."
            ),
        ),
        ShippedLevel(
            gettext_noop("Right but neutral: standard language with few local shades."),
            gettext_noop(
                "Nothing belongs to another variety, and what is idiomatic is used correctly. Chances for a local "
                "expression go by. It could come from anywhere the language is spoken."
            ),
        ),
        ShippedLevel(
            gettext_noop("Idiomatic: local expressions in the right places."),
            gettext_noop(
                "Idioms, particles and turns of phrase are those people here use, and they mean what they should. The "
                "shade of each fits the mood. It sounds native."
            ),
        ),
        ShippedLevel(
            gettext_noop("Masterly: every shade of the local variety is at hand."),
            gettext_noop(
                "It uses idiom, proverb and understatement with ease and a feeling for when less is more. Connotations "
                "are exact, also between the lines. Even people with a good ear would take it for one of theirs."
            ),
        ),
    ),
)

LOCALIZED_TONE = ShippedDimension(
    slug="localized-tone",
    name=gettext_noop("Localized tone"),
    definition=gettext_noop("How well the voice fits the culture, the region and the variety of the language."),
    types=(CULTURAL_RELEVANCE, FORMALITY, HUMOR, LINGUISTIC_NUANCE),
)
