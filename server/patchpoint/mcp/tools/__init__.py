"""The tools and resources: what each is given, does and returns."""
