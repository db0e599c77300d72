"""Names of the varieties of Arabic, as answers and references write them.

A name is compared in folded spelling and as a whole word or phrase; of Arabic ones also with the article or a
preposition before it.
"""

from functools import cache
from itertools import pairwise

from agreement.answers.folding import fold, words

#: By variety: the variety it belongs to ("" for none), and its names. A country's variety belongs to its region.
VARIETIES: dict[str, tuple[str, tuple[str, ...]]] = {
    "standard": ("", ("msa", "modern standard", "standard arabic", "classical arabic", "fusha",
                     "فصحى", "فصيح", "فصيحة")),
    "egyptian": ("", ("egypt", "egyptian", "egy", "cairene", "cairo",
                     "مصر", "مصري", "مصرية", "قاهري", "قاهرية", "القاهرة")),
    "sudanese": ("", ("sudan", "sudanese", "sdn", "khartoum", "سودان", "سوداني", "سودانية")),
    "levantine": ("", ("levant", "levantine", "lev", "shami", "شام", "شامي", "شامية", "بلاد الشام")),
    "syrian": ("levantine", ("syria", "syrian", "damascus", "damascene", "aleppo",
                             "سوريا", "سورية", "سوري", "دمشقي", "حلبي")),
    "lebanese": ("levantine", ("lebanon", "lebanese", "beirut", "لبنان", "لبناني", "لبنانية")),
    "jordanian": ("levantine", ("jordan", "jordanian", "amman", "أردن", "أردني", "أردنية")),
    "palestinian": ("levantine", ("palestine", "palestinian", "فلسطين", "فلسطيني", "فلسطينية")),
    "gulf": ("", ("gulf", "khaliji", "glf", "خليج", "خليجي", "خليجية")),
    "saudi": ("gulf", ("saudi", "saudi arabia", "saudi arabian", "riyadh", "jeddah", "najdi", "hijazi",
                       "سعودي", "سعودية", "نجدي", "نجدية", "حجازي", "حجازية")),
    "emirati": ("gulf", ("uae", "emirates", "emirati", "إمارات", "إماراتي", "إماراتية")),
    "kuwaiti": ("gulf", ("kuwait", "kuwaiti", "كويت", "كويتي", "كويتية")),
    "qatari": ("gulf", ("qatar", "qatari", "doha", "قطر", "قطري", "قطرية")),
    "bahraini": ("gulf", ("bahrain", "bahraini", "بحرين", "بحريني", "بحرينية")),
    "omani": ("gulf", ("oman", "omani", "muscat", "عماني", "عمانية", "سلطنة عمان")),
    "iraqi": ("", ("iraq", "iraqi", "irq", "mesopotamian", "baghdad", "baghdadi", "mosul", "basra",
                  "عراق", "عراقي", "عراقية",
                   "بغدادي", "بغدادية")),
    "yemeni": ("", ("yemen", "yemeni", "sanaani", "يمن", "يمني", "يمنية")),
    "maghrebi": ("", ("maghreb", "maghrebi", "maghribi", "mgr", "north african", "مغاربي", "مغاربية")),
    "moroccan": ("maghrebi", ("morocco", "moroccan", "darija", "fes", "rabat", "مغرب", "مغربي", "مغربية", "دارجة")),
    "algerian": ("maghrebi", ("algeria", "algerian", "algiers", "جزائر", "جزائري", "جزائرية")),
    "tunisian": ("maghrebi", ("tunisia", "tunisian", "tunis",
                              "تونس", "تونسي", "تونسية")),
    "libyan": ("maghrebi", ("libya", "libyan", "tripoli", "benghazi", "ليبيا", "ليبي", "ليبية")),
    "mauritanian": ("maghrebi", ("mauritania", "mauritanian", "hassaniya",
                                 "موريتانيا", "موريتاني", "موريتانية", "حسانية")),
}  # fmt: skip


_BEFORE_ARABIC = [f"{link}{before}" for link in ("", "و", "ف") for before in ("", "ال", "بال", "كال", "لل", "ب", "ل")]


@cache
def _names() -> dict[str, str]:
    """Varieties by folded name of one word or two, with all that Arabic writes onto its front."""
    by_name = {}
    for variety, (_, names) in VARIETIES.items():
        for name in map(fold, names):
            fronts = [""] if name.isascii() else _BEFORE_ARABIC
            by_name.update({front + name: variety for front in fronts})
    return by_name


def varieties_in(text: str) -> frozenset[str]:
    """The varieties a text names. A region named beside a variety of its own is not a second one."""
    by_name, terms = _names(), words(text)
    named = {by_name[name] for name in by_name.keys() & {*terms, *map(" ".join, pairwise(terms))}}
    return frozenset(named - {VARIETIES[variety][0] for variety in named})
