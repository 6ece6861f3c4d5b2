"""What a page shows of an answer once its Markdown is rendered, as it is copied from there."""
