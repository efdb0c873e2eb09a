"""Check digits of numbers, and what else tells them from chance."""


def mixed(word: str) -> bool:
    """Whether a key looks random: letters and digits, or capitals and small letters."""
    random = any(map(str.isdigit, word)) or (len(word) >= 20 and not word.islower() and not word.isupper())
    return random and any(map(str.isalpha, word))


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
