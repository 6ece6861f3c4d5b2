"""Files of the user and of Patchpoint itself: reading, atomic writing, locks, and where its own are kept."""
