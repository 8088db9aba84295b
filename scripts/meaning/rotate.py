"""rotate.py E.npy PREP OUT: turns the table so that the first dimensions carry most of pooled sections and headings (a pure rotation; cut afterwards)"""

import pickle, sys, numpy as np

E = np.load(sys.argv[1])
R = pickle.load(open(sys.argv[2], "rb"))
rng = np.random.default_rng(0)
X = []
for g in R.values():
    for i in rng.permutation(len(g["sec"]))[:300]:
        x = g["sec"][i]
        for t in (np.r_[x["t"], x["h"], x["x"]], np.r_[x["t"], x["h"]], *x["s"][:1]):
            if len(t):
                v = E[t].sum(0)
                X.append(v / max(np.linalg.norm(v), 1e-9))
X = np.array(X)
U, s, Vt = np.linalg.svd(X, full_matrices=False)
c = np.cumsum(s**2) / (s**2).sum()
print(len(X), {k: round(float(c[k - 1]), 3) for k in (64, 96, 128, 192) if k <= len(c)})
np.save(sys.argv[3], (E @ Vt.T).astype(np.float32))
