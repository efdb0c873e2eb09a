"""The faces: they translate, call one verb, and translate back."""
