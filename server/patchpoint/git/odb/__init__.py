"""The object database: loose objects, packs and the sizes of blobs."""
