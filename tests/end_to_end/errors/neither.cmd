check
README.md
