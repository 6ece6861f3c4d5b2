"""What a conversation says of the edits in it: who speaks, what was carried out, what is taken back."""
