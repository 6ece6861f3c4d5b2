"""Files of units with keys: tables of settings, mappings of YAML, rules, commands, elements."""
