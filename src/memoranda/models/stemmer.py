"""English stems (Porter 2), as Snowball makes them."""

import Stemmer

stem = Stemmer.Stemmer("english", 0).stemWord  # without a cache: the analyzer stems each word once
