"""The tokenizer of the table (reference; the TypeScript one is embed.ts). Normalisation: NFKD, combining marks removed.
A word is a run of ASCII letters and digits. Whole word (lower case) in the vocabulary -> its id; else it is split at camelCase
and digits, and each part is cut by greedy longest match (continuations carry '##'). Everything else is ignored.
"""

import json, re, unicodedata

WORD = re.compile(r"[A-Za-z0-9]+")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


class Tok:
    def __init__(self, vocab):
        self.v = {w: i for i, w in enumerate(vocab)}
        self.cache = {}

    def piece(self, w):
        out, i = [], 0
        while i < len(w):
            j = len(w)
            while j > i and (("##" + w[i:j]) if i else w[i:j]) not in self.v:
                j -= 1
            if j == i:
                i += 1
                continue
            out.append(self.v[("##" + w[i:j]) if i else w[i:j]])
            i = j
        return out

    def word(self, w):
        r = self.cache.get(w)
        if r is None:
            l = w.lower()
            if l in self.v:
                r = [self.v[l]]
            else:
                r = [t for p in PART.findall(w[:64]) for t in self.piece(p.lower())]
            self.cache[w] = r
        return r

    def encode(self, text):
        if not text.isascii():
            text = "".join(
                c for c in unicodedata.normalize("NFKD", text) if not unicodedata.category(c).startswith("M")
            )
        return [t for w in WORD.findall(text) for t in self.word(w)]
