"""prune.py E.npy VOCAB PREP N OUT.npy OUTVOCAB: the N entries that documentation uses most, and all short pieces (so that every word can still be cut)"""

import json, pickle, sys, numpy as np

E = np.load(sys.argv[1])
V = json.load(open(sys.argv[2]))
R = pickle.load(open(sys.argv[3], "rb"))
c = np.zeros(len(V))
for g in R.values():
    k = np.zeros(len(V))
    for x in g["sec"]:
        np.add.at(k, np.r_[x["t"], x["h"], x["x"]], 1)
    c += np.sqrt(k)  # spread over repositories counts more than many in one
must = np.array([len(w.replace("##", "")) <= 2 for w in V])
o = np.argsort(-(c + 1e9 * must), kind="stable")[: int(sys.argv[4])]
o.sort()
np.save(sys.argv[5], E[o])
json.dump([V[i] for i in o], open(sys.argv[6], "w"))
print(len(o), must.sum())
