"""English stems, as Snowball makes them. The package loads the stemmers of all its languages, so it is loaded late."""

import snowballstemmer

stem = snowballstemmer.stemmer("english").stemWord
