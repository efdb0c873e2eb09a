"""What memoranda knows of languages, as TOML files for people who speak them: a folder for each, and what all share.

    <language>/grammar.toml      how its clauses are built, and what words become in the third person
    <language>/rules.toml        what is worth remembering, and how people say it
    <language>/names.toml        what stands beside a name and says what it names
    <language>/times.toml        the words of time, how they are put together, and what tells past from future
    <language>/corrections.toml  how somebody puts right what was just said
    <language>/questions.toml    how it asks: questions as statements, several in one, what they ask for
    <language>/secrets.toml      how it speaks of passwords, keys and numbers that must not be kept
    en/words.toml                English words by which texts are compared
    en/claims.toml               how English tells of somebody, and the way back to what that person says
    names.toml                   names most people know
    asking.toml                  by what it is told what a question asks for, in all languages
    secrets.toml                 the forms of secrets, and the patterns by which a text is read around their names
    secret_weights.toml          what each sign around a value says for a secret; learned by evals/secret_weights.py
    signs.toml                   by what names are recognised in all languages
    times.toml                   how times are put together in all languages
    common.toml                  the words by which a language is told
    scaffold.toml                what the keys mean that language models give to what they know of a user
    injections.toml              words that speak to a memory instead of telling something, in all languages

Data like code: a file is read as a module is imported, once, when it is first needed. This is the one place that does.
"""

import tomllib
from pathlib import Path
from typing import Any

from memoranda.errors import FormatError

_HERE = Path(__file__).parent


def read(name: str) -> dict[str, Any]:
    """The tables of a file, such as "names" or "en/rules".

    Raises:
        FormatError: it is not TOML; the message names the file and the line.
    """
    try:
        return tomllib.loads(_HERE.joinpath(f"{name}.toml").read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"languages/{name}.toml: {error}") from error
