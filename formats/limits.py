"""How long a text, how many entries and how large a number may be: the same in a file as on a screen."""

# Characters (code points).
# Of a prompt, a response, a question, its passage and its reference: people read them on a page, and beyond this one
# paragraph of Arabic holds a browser for minutes (200,000 characters: seconds; 400,000: two minutes).
# What a model writes for us or somebody pastes is held to it as well: a file of it comes in again.
MAX_TEXT = 200_000
MAX_SLUG = 60
MAX_QUESTION_KEY = 120
MAX_KEY = 64  # of a span, of a criterion
MAX_COMMENT = 10_000  # of whatever explains an answer
MAX_CRITERION = 20_000
MAX_GOLD_ANSWER = 20_000
MAX_REASON = 1_000
MAX_TAG = 60  # of a criterion

# Entries of one answer, or of one rubric.
MAX_SPANS = 500
MAX_PARTS = 20  # of a span, with its own words
MAX_CRITERIA = 100
MAX_TAGS = 20  # of a criterion
MAX_ERRORS = 100

# Points.
MAX_PENALTY = 1_000_000
MAX_WEIGHT = 100  # of a criterion; of an error with a minus
