"""Tables of characters: pinyin initials, homophones, confusables, and their loader."""
