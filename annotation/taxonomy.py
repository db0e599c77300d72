"""The eight thin and thick categories a project of error spans begins with, in our own words.

The taxonomy is that of the JuICE paper. Names and definitions are marked for translation: what an annotator reads is
in the language of the interface for as long as the project has not rewritten it (`ErrorCategory.label`).
"""

from dataclasses import dataclass

from django.utils.translation import gettext_noop


@dataclass(frozen=True, slots=True)
class ShippedCategory:
    """A category as the preset copies it in; `error_type` and `depth` are values of annotation.models."""

    slug: str
    name: str
    error_type: str
    depth: str
    definition: str
    example: str


TAXONOMY = (
    ShippedCategory(
        slug="explicit-linguistic",
        name=gettext_noop("Explicit Linguistic Error"),
        error_type="linguistic",
        depth="thin",
        definition=gettext_noop(
            "The wording breaks a rule of the language that a dictionary or a grammar book can settle: spelling, "
            "agreement, word formation, a wrong word, a literal translation that means something else, or a "
            "stretch in another language. It stays wrong whoever says it and to whomever. If the sentence is "
            "correct but no native speaker would say it in this situation, choose Implicit Linguistic Error "
            "instead."
        ),
        example=("Korean: “그건 않되요.” Both words are misspelt; it must read “그건 안 돼요.”"),
    ),
    ShippedCategory(
        slug="implicit-linguistic",
        name=gettext_noop("Implicit Linguistic Error"),
        error_type="linguistic",
        depth="thick",
        definition=gettext_noop(
            "The words are grammatical, yet they do not sound like someone who belongs here speaking to this "
            "person about this matter. The level of politeness or formality is off, a neighbouring dialect slips "
            "in, or the phrasing is stiff, bookish or translated. Judging it needs an ear for the language, not a"
            " rule book."
        ),
        example=(
            "Egyptian Arabic: a text message to a close friend that says “أرجو التفضل بإبلاغي بموعد حضوركم”. "
            "Nothing is ungrammatical, but a friend would write “قولي جاي إمتى”."
        ),
    ),
    ShippedCategory(
        slug="cultural-inaccuracy",
        name=gettext_noop("Cultural Inaccuracy"),
        error_type="cultural",
        depth="thin",
        definition=gettext_noop(
            "The text states something about a people, place, custom, institution, date, dish or work of art that"
            " is false and can be looked up. Someone from elsewhere could find the mistake with a good source. "
            "Use it for the wrong fact itself; where every single element is right and only the combination is "
            "odd, choose Cultural Incoherence."
        ),
        example=(
            "Bengali (Bangladesh): “আমাদের স্বাধীনতা দিবস ১৬ ডিসেম্বর”. Independence Day is 26 March; 16 December"
            " is Victory Day."
        ),
    ),
    ShippedCategory(
        slug="cultural-incoherence",
        name=gettext_noop("Cultural Incoherence"),
        error_type="cultural",
        depth="thick",
        definition=gettext_noop(
            "Each element exists in the culture, but here they stand side by side in a way that local people "
            "would never put together: a custom in the wrong occasion, a person in the wrong role, a dish at the "
            "wrong table. The scene therefore stops being believable. The error lies in the clash, so mark the "
            "part that does not belong."
        ),
        example=(
            "Indonesian: an ogoh-ogoh parade on the night of takbiran in Banda Aceh. Ogoh-ogoh belong to the eve "
            "of Nyepi in Bali."
        ),
    ),
    ShippedCategory(
        slug="cultural-specificity",
        name=gettext_noop("Cultural Specificity Error"),
        error_type="cultural",
        depth="thick",
        definition=gettext_noop(
            "A custom is drawn with the wrong borders. Either one group’s habit is given to everybody, or "
            "something shared by all is handed to one group alone, or regional variants are melted into one. "
            "Stereotypes that begin with “everyone” or “nobody” usually belong here."
        ),
        example=(
            "Iraqi Arabic: “كل العراقيين يلبسون عكال ويشماغ بالدوام”. Some men wear them in some regions and "
            "occasions; an office in Baghdad looks different."
        ),
    ),
    ShippedCategory(
        slug="cultural-connotation",
        name=gettext_noop("Cultural Connotation Error"),
        error_type="cultural",
        depth="thick",
        definition=gettext_noop(
            "A thing, colour, flower, number, food or formula carries a feeling in this culture that the text "
            "ignores or turns around. It brings mourning into a celebration, treats something dear or sacred as a"
            " trifle, or insults without meaning to. The statement may be factually harmless; what goes wrong is "
            "what people feel when they read it."
        ),
        example=(
            "Korean: welcoming a guest with “밥 한가운데에 숟가락을 꽂아” a bowl of rice. A spoon standing upright "
            "in rice belongs to the rites for the dead."
        ),
    ),
    ShippedCategory(
        slug="cultural-missingness",
        name=gettext_noop("Cultural Missingness"),
        error_type="cultural",
        depth="thick",
        definition=gettext_noop(
            "Something is absent that people of this culture would consider indispensable for the task, so that "
            "the answer is hollow or cannot be used. Not every addition that would be nice counts: without it, "
            "the answer must fail its purpose. Anchor it to the paragraph or to the whole response, or to the "
            "words that make the gap visible."
        ),
        example=(
            "Egyptian Arabic: a guide to a condolence visit in Cairo that tells what to wear and how long to "
            "stay, but not what to say: neither “البقاء لله” nor anything like it."
        ),
    ),
    ShippedCategory(
        slug="logical",
        name=gettext_noop("Logical Error"),
        error_type="logical",
        depth="separate",
        definition=gettext_noop(
            "The reasoning fails for a reader of any culture: the text contradicts itself, draws a conclusion "
            "that does not follow, miscounts, or asks for something physically impossible. No knowledge of the "
            "language or the place is needed to see it. It is counted apart from thin and thick errors."
        ),
        example=("A story in which the train leaves at nine, needs two hours and arrives at ten on the same morning."),
    ),
)
