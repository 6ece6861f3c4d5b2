"""Changes to several files on disk, all or none of them."""
