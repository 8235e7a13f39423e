"""How accurate a model is on data nobody has labelled, and between which bounds."""
