"""vocab.py CORPUS BERT_VOCAB OUT: vocabulary = BERT word pieces in ASCII that are kept + words of documentation that BERT would cut."""

import json, re, sys
from collections import Counter

corpus, bert, out = sys.argv[1:4]
import tok as T

V = [l.rstrip("\n") for l in open(bert, encoding="utf8")]
ok = [w for w in V if re.fullmatch(r"(##)?[a-z0-9]+", w)]
base = T.Tok(ok)
n, repos = Counter(), {}
for l in open(f"{corpus}/sections.jsonl"):
    r = json.loads(l)
    for w in T.WORD.findall(" ".join([r["t"], *r["h"], r["x"]])):
        l2 = w.lower()
        parts = (
            [l2]
            if (l2 in base.v or re.fullmatch(r"[A-Z]?[a-z]+|[A-Z]+s?", w))
            else [p.lower() for p in T.PART.findall(w)]
        )
        for p in parts:
            n[p] += 1
            repos.setdefault(p, set()).add(r["r"])
# product names in camelCase count whole when they are frequent in several repositories (JavaScript, TypeScript, GitHub, WebSocket)
camel, crepos = Counter(), {}
for l in open(f"{corpus}/sections.jsonl"):
    r = json.loads(l)
    for w in set(re.findall(r"\b[A-Z][a-z]+[A-Z][A-Za-z]*\b", r["x"])):
        camel[w.lower()] += 1
        crepos.setdefault(w.lower(), set()).add(r["r"])
words = [
    w
    for w, c in n.most_common()
    if w not in base.v and c >= 12 and len(repos[w]) >= 3 and 3 <= len(w) <= 24 and w.isalpha()
]
words += [
    w
    for w, c in camel.most_common()
    if w not in base.v and w not in words and c >= 25 and len(crepos[w]) >= 6
]
words = words[: int(sys.argv[4]) if len(sys.argv) > 4 else 5000]
# pieces that documentation never uses: keep the first 12,000 of BERT's order (frequent English) and all that occur
use = Counter()
b2 = T.Tok(ok + words)
for w, c in n.items():
    for t in b2.word(w):
        use[t] += c
keep = [
    w
    for i, w in enumerate(ok)
    if use[i] >= 3 or i < 14000 or len(w) <= 3 or (w.startswith("##") and len(w) <= 4)
]
json.dump(keep + words, open(out, "w"))
print(len(V), "BERT", len(ok), "ascii", len(keep), "kept", len(words), "new words", words[:60], words[-30:])
