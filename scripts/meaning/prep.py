"""prep.py CORPUS VOCAB OUT: tokenised training pairs, by repository (pickle)."""

import json, pickle, re, sys
import numpy as np, tok as T

corpus, vocab, out = sys.argv[1:4]
tk = T.Tok(json.load(open(vocab)))
A = lambda s: np.array(tk.encode(s), np.int32)
sent = lambda x: [
    s.strip()
    for s in re.split(r"(?<=[.!?])\s+|\n", x)
    if 30 <= len(s.strip()) <= 200 and sum(c.isalpha() or c == " " for c in s) > 0.8 * len(s)
]
R = {}
pages = {}
for l in open(f"{corpus}/sections.jsonl"):
    r = json.loads(l)
    g = R.setdefault(r["r"], {"sec": [], "link": []})
    ss = sent(r["x"])
    g["sec"].append(
        {
            "t": A(r["t"]),
            "h": A(" – ".join(r["h"])),
            "last": A(r["h"][-1] if r["h"] else r["t"]),
            "x": A(r["x"][:1500]),
            "s": [A(s) for s in ss[:6]],
            "page": r["p"],
        }
    )
for l in open(f"{corpus}/links.jsonl"):
    r = json.loads(l)
    g = R.setdefault(r["r"], {"sec": [], "link": []})
    head = " – ".join([r["t"], *r["h"]])
    same = r["a"].lower().strip() in (r["t"].lower(), (r["h"] or [""])[-1].lower())
    g["link"].append(
        {"a": A(r["a"]), "c": A(r["c"][:250]), "h": A(head), "x": A(r["x"][:1000]), "same": same, "key": head}
    )
pickle.dump(R, open(out, "wb"))
print({k: (len(v["sec"]), len(v["link"])) for k, v in R.items()})
