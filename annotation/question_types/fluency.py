"""Fluency: whether an educated native speaker could have written it, as language."""

from django.utils.translation import gettext_noop

from annotation.question_types.shipped import ShippedDimension, ShippedLevel, ShippedType

VOCABULARY_AND_SYNTAX = ShippedType(
    slug="vocabulary-syntax",
    name=gettext_noop("Vocabulary and syntax"),
    definition=gettext_noop("Are the words well chosen and the sentences built as a skilled native writer would?"),
    levels=(
        ShippedLevel(
            gettext_noop("Wrong words and broken sentences make it hard to follow."),
            gettext_noop(
                "Words are used in senses they do not have, come from another region or another language, or are "
                "repeated for want of others. Many sentences are twisted or built like a translation. A native reader "
                "has to guess what is meant."
            ),
        ),
        ShippedLevel(
            gettext_noop("Several words or sentences are off; some places need a second reading."),
            gettext_noop(
                "The gist comes across, but here and there a word does not fit its neighbours or a sentence is clumsy. "
                "The same few patterns keep returning. A native reader notices it without looking for it."
            ),
        ),
        ShippedLevel(
            gettext_noop("Correct and plain: nothing serious is wrong, nothing is well put."),
            gettext_noop(
                "Words mean what they should and sentences hold together, but the choice is safe and the build is "
                "basic. A slip or two may occur and costs no understanding. It reads like careful school prose."
            ),
        ),
        ShippedLevel(
            gettext_noop("Fitting words and varied sentences, without slips that matter."),
            gettext_noop(
                "Words are exact for their context, and short sentences alternate with longer ones. Everything could "
                "have been written by a competent native speaker. What is missing is only the last touch of style."
            ),
        ),
        ShippedLevel(
            gettext_noop("Rich, exact and effortless, as from an accomplished native writer."),
            gettext_noop(
                "Each word seems the right one and adds a shade of meaning. Sentences of different builds carry the "
                "thought along without strain. A native editor would leave it as it is."
            ),
        ),
    ),
)

COHERENCE = ShippedType(
    slug="coherence",
    name=gettext_noop("Coherence"),
    definition=gettext_noop("Do the ideas hang together, and does each part lead on to the next?"),
    levels=(
        ShippedLevel(
            gettext_noop("No thread: ideas stand beside one another or contradict each other."),
            gettext_noop(
                "The text jumps from one thing to the next without a reason, or takes back what it has just said. No "
                "order can be made out. At the end the reader cannot say what it was about."
            ),
        ),
        ShippedLevel(
            gettext_noop("A thread can be guessed, but links are missing or forced."),
            gettext_noop(
                "Some parts belong together, others stray from the subject or repeat it. Connecting words promise "
                "relations that are not there. The reader has to put the argument in order alone."
            ),
        ),
        ShippedLevel(
            gettext_noop("It can be followed from beginning to end, with some bumps."),
            gettext_noop(
                "The main idea is clear and most steps follow from it. A transition may be abrupt or a paragraph stand "
                "in the wrong place. Strong and weak passages balance each other."
            ),
        ),
        ShippedLevel(
            gettext_noop("Well ordered: every part has its place and leads to the next."),
            gettext_noop(
                "The text has a visible plan and keeps to it. Ideas are connected by meaning, and connecting words say "
                "what the connection is. A reader follows at the first reading."
            ),
        ),
        ShippedLevel(
            gettext_noop("It flows by itself: structure and thought are one."),
            gettext_noop(
                "Each sentence prepares the next, and the whole builds up to its point. Headings, lists and paragraphs "
                "are used just where they help. Nothing could be moved or dropped without loss."
            ),
        ),
    ),
)

GRAMMAR_AND_MECHANICS = ShippedType(
    slug="grammar-mechanics",
    name=gettext_noop("Grammar and mechanics"),
    definition=gettext_noop("Are grammar, spelling, punctuation and writing conventions those of the language?"),
    levels=(
        ShippedLevel(
            gettext_noop("Errors everywhere; they get in the way of the meaning."),
            gettext_noop(
                "Agreement, word forms, spelling or punctuation go wrong in sentence after sentence. The wrong script "
                "or the rules of another language may be mixed in. Reading it takes effort."
            ),
        ),
        ShippedLevel(
            gettext_noop("Repeated errors that distract, though the meaning survives."),
            gettext_noop(
                "There are several mistakes that a native speaker would not make, or one kind that keeps coming back. "
                "Each can be understood. Together they make the text look careless."
            ),
        ),
        ShippedLevel(
            gettext_noop("No serious error; a few small slips or a plain hand."),
            gettext_noop(
                "Grammar is sound, and what is left are slips such as a missing comma or a mistyped letter. More "
                "demanding constructions are avoided. It would pass in everyday writing."
            ),
        ),
        ShippedLevel(
            gettext_noop("Correct throughout, by the conventions of the language."),
            gettext_noop(
                "Forms, spelling and punctuation are right, in longer sentences too. Quotation marks, numbers and the "
                "like follow local usage. Only a close reader might find a trifle."
            ),
        ),
        ShippedLevel(
            gettext_noop("Flawless, with demanding grammar used with ease."),
            gettext_noop(
                "No error can be found. Tense, mood and punctuation are used to make fine distinctions clear. It could "
                "be printed without a proofreader."
            ),
        ),
    ),
)

CLARITY_AND_CONCISENESS = ShippedType(
    slug="clarity-conciseness",
    name=gettext_noop("Clarity and conciseness"),
    definition=gettext_noop("Is it understood at once, and does it say no more than is needed?"),
    levels=(
        ShippedLevel(
            gettext_noop("Obscure or so wordy that the point is lost."),
            gettext_noop(
                "The reader cannot tell what is being said, or must dig it out of filler and repetition. Sentences go "
                "round in circles. Much of the text could be cut and nothing would be missed."
            ),
        ),
        ShippedLevel(
            gettext_noop("Parts are unclear or clearly too long."),
            gettext_noop(
                "The point can be found, but some sentences are vague or overloaded. Things are said twice or "
                "announced at length. A native reader would begin to skim."
            ),
        ),
        ShippedLevel(
            gettext_noop("Understandable and of a tolerable length."),
            gettext_noop(
                "What is meant is clear in general. Some sentences could be shorter or more exact, and a paragraph may "
                "add little. Nothing is really confusing."
            ),
        ),
        ShippedLevel(
            gettext_noop("Clear and direct; hardly a word too many."),
            gettext_noop(
                "Every statement is understood at the first reading. Lists or short paragraphs are used where they "
                "help. The length suits the question."
            ),
        ),
        ShippedLevel(
            gettext_noop("Perfectly clear, and every word does its work."),
            gettext_noop(
                "Nothing can be misread, even where the matter is difficult. The text says much with little and is "
                "laid out so that the eye finds everything. To shorten it would be to lose something."
            ),
        ),
    ),
)

FLUENCY = ShippedDimension(
    slug="fluency",
    name=gettext_noop("Fluency"),
    definition=gettext_noop("How well the response is written, measured by a highly educated native speaker."),
    types=(VOCABULARY_AND_SYNTAX, COHERENCE, GRAMMAR_AND_MECHANICS, CLARITY_AND_CONCISENESS),
)
