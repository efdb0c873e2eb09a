"""Words: terms and their normal form, languages, numerals, tables of patterns, the fence, what is forgotten, voices."""
