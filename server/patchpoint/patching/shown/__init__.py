"""Code without a search text: how it is merged into its file, and where it likely goes."""
