"""pack.py E.npy VOCAB OUTDIR DIMS: int8 per row with a scale -> table.bin, table.json, vocab.txt, test-vectors.json"""

import hashlib, json, sys, numpy as np, tok as T

E = np.load(sys.argv[1])[:, : int(sys.argv[4])].astype(np.float32)
V = json.load(open(sys.argv[2]))
out = sys.argv[3]
s = np.abs(E).max(1) / 127
s[s == 0] = 1
q = np.clip(np.round(E / s[:, None]), -127, 127).astype(np.int8)
b = q.tobytes() + s.astype("<f4").tobytes()
open(f"{out}/table.bin", "wb").write(b)
open(f"{out}/vocab.txt", "w").write("\n".join(V) + "\n")
json.dump(
    {
        "entries": len(V),
        "dims": E.shape[1],
        "layout": "int8 rows [entries][dims], then float32 little-endian scale [entries]; value = row * scale",
        "vocabulary": "vocab.txt, one entry a line, ## marks a continuation",
        "normalisation": "NFKD, marks removed, ASCII letters and digits, whole word in lower case first, then parts at camelCase",
        "sha256": hashlib.sha256(b).hexdigest(),
        "base": "sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), distilled",
    },
    open(f"{out}/table.json", "w"),
    indent=1,
)
tk = T.Tok(V)
D = q.astype(np.float32) * s[:, None]
tv = []
for t in (
    "How do I deploy my site?",
    "useEffect runs twice in TypeScript",
    "naïve café, HTMLElement.onClick_2 kubernetes-operator",
    "中文",
    "tsconfig.json",
):
    ids = tk.encode(t)
    v = D[ids].sum(0) if ids else np.zeros(E.shape[1])
    n = np.linalg.norm(v)
    tv.append({"text": t, "ids": ids, "vector": [round(float(x), 6) for x in (v / n if n else v)]})
json.dump(tv, open(f"{out}/test-vectors.json", "w"), ensure_ascii=False)
print(len(b), "bytes", [x["ids"] for x in tv])
