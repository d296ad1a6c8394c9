diff
old.json
