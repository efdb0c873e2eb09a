"""Which language a text is in: English, German, Spanish, French or Chinese."""

import re
from collections.abc import Mapping

LANGUAGES = ("en", "de", "es", "fr", "zh")

#: The commonest words of each language, which no name and hardly a borrowed phrase contains.
_COMMON: Mapping[str, str] = {
    "en": """
        the a an and or but not no is are was were be been am i'm it's don't that this these those there here he
        she it we they you i my your his her our their me him them us of to in on at for with from by about as if
        so when what who how why where which do does did have has had will would can could should like want need
        work live just very also please thanks hello yes because than then into after before over only some any
        all more most one name called think know make going really never always today tomorrow yesterday prefer
        moved new old who's let's
        """,
    "de": """
        der die das den dem des ein eine einen einem einer und oder aber nicht kein keine ist sind war waren sein
        bin bist ich du er sie es wir ihr mich mir dich dir ihn ihm uns euch mein meine meinen meiner dein deine
        seine unser unsere von zu im in am an auf für mit aus bei nach vor über unter um durch als wenn was wer
        wie warum wo welche habe hat haben hatte werde wird werden kann können soll sollte mag möchte will gern
        gerne nur auch noch schon sehr dass weil denn doch mal bitte danke hallo ja nein jetzt heute morgen
        gestern immer nie heiße heißt wohne arbeite zum zur vom beim lieber man etwas nichts alle mehr
        """,
    "es": """
        el la los las un una unos unas y o pero no es son era fue ser soy eres estoy está están yo tú él ella
        nosotros ellos me te se nos lo le les mi mis tu tus su sus nuestro nuestra de del a al en con por para
        desde hasta sobre sin entre que qué quién cómo cuándo dónde cuál porque si cuando como más muy también ya
        hoy ayer mañana siempre nunca tengo tiene hay había quiero quiere puedo puede hacer gusta gustan prefiero
        vivo trabajo llamo gracias hola favor sí este esta esto ese esa eso algo nada todo todos ahora antes
        después
        """,
    "fr": """
        le la les un une des et ou mais ne pas est sont était suis es être je tu il elle nous vous ils elles on me
        te se moi toi lui leur mon ma mes ton ta tes son sa ses notre votre nos vos de du au aux à en dans avec
        pour par sur sous sans chez entre que qui quoi comment quand où pourquoi quel quelle parce si comme plus
        très aussi déjà aujourd'hui hier demain toujours jamais ai as avez avons ont avait veux peux peut faire
        aime préfère habite travaille appelle merci bonjour salut oui non ce cet cette ces cela ça rien tout tous
        maintenant c'est j'ai j'aime
        """,
}
#: Letters of one language alone, and what one of them is worth in common words.
_LETTERS: Mapping[str, str] = {"de": "äöüß", "es": "ñ¿¡áíóú", "fr": "çèêëîïœàâùû"}
_LETTER_WORTH = 0.6
_HAN_WORTH = 0.35  # a Chinese word has about two characters, and two words of five are common ones elsewhere

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019](?=[stm]\b)[stm])?")
_MARKED = re.compile(r"[^\x00-\x7f]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_SAMPLE = 240
_ENOUGH = 1.0  # one common word that is no other language's
_MARGIN = 1.2


def _shares() -> dict[str, tuple[tuple[str, float], ...]]:
    """For each common word, its languages; a word of several counts for each in part."""
    owners: dict[str, list[str]] = {}
    for language, listed in _COMMON.items():
        for word in dict.fromkeys(listed.split()):
            owners.setdefault(word, []).append(language)
    return {word: tuple((language, 1 / len(names)) for language in names) for word, names in owners.items()}


_SHARES = _shares()


def detect(text: str, default: str = "en") -> str:
    """The language that most of `text` is in, judged by its beginning; `default` where nothing decides.

    Evidence are common words, letters that only one of the languages has, and Chinese characters. A text too short
    to hold any, or one whose evidence is divided evenly, is taken to be in the default language.
    """
    sample = text[:_SAMPLE].lower()
    scores = dict.fromkeys(LANGUAGES, 0.0)
    for shares in filter(None, map(_SHARES.get, _WORD.findall(sample))):
        for language, share in shares:
            scores[language] += share
    if not sample.isascii():
        _weigh_letters(sample, scores)
    ranked = sorted(LANGUAGES, key=lambda language: -scores[language])
    best, second = ranked[0], ranked[1]
    if scores[best] < _ENOUGH or scores[best] < _MARGIN * scores[second]:
        return default
    return best


def _weigh_letters(sample: str, scores: dict[str, float]) -> None:
    marked = "".join(_MARKED.findall(sample))
    for language, letters in _LETTERS.items():
        scores[language] += _LETTER_WORTH * sum(letter in letters for letter in marked)
    if not _KANA.search(marked):
        scores["zh"] += _HAN_WORTH * len(_HAN.findall(marked))
