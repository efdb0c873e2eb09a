"""Check digits of numbers, and what else tells them from chance."""

import re

_RUN = re.compile(r"[0-9]+|[^\W\d_]+")
_PART = re.compile(r"[-_/.:,]")
_TURNS = 4
_LONG = 16  # characters of a part that no name with a number in it has


def mixed(word: str) -> bool:
    """Whether a key looks random: letters and digits, or capitals and small letters."""
    random = any(map(str.isdigit, word)) or (len(word) >= 20 and not word.islower() and not word.isupper())
    return random and any(map(str.isalpha, word))


def alternates(word: str) -> bool:
    """Whether letters and digits take turns in a part of a word as only chance makes them: no number, name or path."""
    parts = _PART.split(word)
    return any(len(_RUN.findall(part)) > _TURNS or (len(part) >= _LONG and mixed(part)) for part in parts)


def iban(text: str) -> int:
    """Return the length of the account number that a text begins with, 0 if there is none (ISO 13616)."""
    places = [place for place, one in enumerate(text, 1) if one.isalnum()]
    values = [str(int(one, 36)) for one in text if one.isalnum()]
    for count in range(15, len(values) + 1):
        whole = count == len(values) or not text[places[count - 1]].isalnum()
        if whole and int("".join((*values[4:count], *values[:4]))) % 97 == 1:
            return places[count - 1]
    return 0


def resident(text: str) -> bool:
    """Whether the check digit of a Chinese identity number is right (ISO 7064)."""
    total = sum(2 ** (17 - place) * int(one) for place, one in enumerate(text[:17]))
    return "10X98765432"[total % 11] == text[17].upper()


def luhn(number: str) -> bool:
    """Whether the check digit of a number is right (ISO/IEC 7812), and not because it repeats one digit."""
    doubled = sum(sum(divmod(2 * int(one), 10)) for one in number[-2::-2])
    return len(set(number)) > 1 and (doubled + sum(map(int, number[-1::-2]))) % 10 == 0


def spanish(text: str) -> bool:
    """Whether the check letter of a Spanish identity number (DNI, NIE) is right."""
    number = _plain(text)
    first = str("XYZ".find(number[0])) if number[0] in "XYZ" else number[0]
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(first + number[1:-1]) % 23] == number[-1]


def french(text: str) -> bool:
    """Whether the key of a French social security number (NIR) is right; Corsica has letters."""
    number = _plain(text)
    place = {"2A": "19", "2B": "18"}.get(number[5:7], number[5:7])
    return 97 - int(number[:5] + place + number[7:13]) % 97 == int(number[13:])


def pension(text: str) -> bool:
    """Whether the check digit of a German social insurance number is right."""
    number = _plain(text)
    digits = f"{number[:8]}{ord(number[8]) - 64:02}{number[9:11]}"
    sums = (sum(divmod(int(one) * int(by), 10)) for one, by in zip(digits, "212571212121", strict=True))
    return sum(sums) % 10 == int(number[11])


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text)).upper()


def tax(text: str) -> bool:
    """Whether a number may be a German tax number: one digit repeats, and the check digit is right (ISO 7064)."""
    digits = "".join(filter(str.isdigit, text))
    if len(digits) != 11 or digits[0] == "0" or len(set(digits[:10])) not in {8, 9}:
        return False
    product = 10
    for one in digits[:10]:
        product = ((int(one) + product) % 10 or 10) * 2 % 11
    return (11 - product) % 10 == int(digits[10])
