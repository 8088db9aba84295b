"""train.py PREP TEACH INIT384 VOCAB OUT key=value...   trains the table (numpy, scipy; Adam on the rows that a batch touches).

Losses: (1) in-batch contrastive, batches of one repository at a time (as search within one site): link text, sentence or heading <-> section
(view T: title + headings + text, weighted by the repository's idf; view H: title + headings, unweighted); (2) cosine to the teacher's vector (PCA).
"""

import glob, json, pickle, sys, time
import numpy as np
from scipy.sparse import csr_matrix

prep, teachdir, init, vocabf, out = sys.argv[1:6]
O = dict(
    d=256,
    steps=2000,
    lr=0.002,
    tau=0.06,
    B=320,
    teach=1.0,
    reg=0.02,
    seed=1,
    con=1.0,
    over=0.5,
    tb=256,
    cf=1.0,
    tf=1.0,
    rdrop=0.0,
)
start = None
for a in sys.argv[6:]:
    k, v = a.split("=")
    if k == "start":
        start = v
        continue
    O[k] = type(O[k])(float(v)) if not isinstance(O[k], float) else float(v)
rng = np.random.default_rng(O["seed"])
vocab = json.load(open(vocabf))
V, d = len(vocab), O["d"]
R = pickle.load(open(prep, "rb"))
import tok as TK

tk = TK.Tok(vocab)
norm = lambda a: a / np.maximum(np.linalg.norm(a, axis=1, keepdims=True), 1e-9)
# teacher
TX, TV = [], []
for f in sorted(glob.glob(f"{teachdir}/part-*.npy")):
    TX += json.load(open(f[:-3] + "json"))
    TV.append(np.load(f))
TV = np.concatenate(TV).astype(np.float32)
assert len(TX) == len(TV)
TI = [np.array(tk.encode(x), np.int32) for x in TX]
mu = TV.mean(0)
U, s, Vt = np.linalg.svd((TV - mu)[rng.permutation(len(TV))[:12000]], full_matrices=False)
Pm = Vt[:d].T
import os

pf = os.path.join(
    teachdir, f"proj{d}.npz"
)  # the projection is fixed by the first run, so that stages fit together
if os.path.exists(pf):
    mu, Pm = np.load(pf)["mu"], np.load(pf)["Pm"]
else:
    np.savez(pf, mu=mu, Pm=Pm)
TG = norm((TV - mu) @ Pm)
print(
    "teacher texts", len(TX), "variance kept", round(float((s[:d] ** 2).sum() / (s**2).sum()), 3), flush=True
)
# initial table: centred, projected, unit rows, SIF
cnt = np.zeros(V)
for g in R.values():
    for x in g["sec"]:
        np.add.at(cnt, np.r_[x["t"], x["h"], x["x"]], 1)
p = cnt / cnt.sum()
sif = 1e-3 / (1e-3 + p)
E0 = np.load(init)
E0 = norm((E0 - E0.mean(0)) @ Pm) * sif[:, None]
E0 = E0.astype(np.float32)
E = E0.copy() if not start else np.load(start)
if start:
    E0 = E.copy()  # pulled to where this stage starts
IDF = {}
for r, g in R.items():
    df = np.zeros(V)
    for x in g["sec"]:
        df[np.unique(np.r_[x["t"], x["h"], x["x"]])] += 1
    IDF[r] = np.log(1 + len(g["sec"]) / (df + 1)).astype(np.float32)
ONE = np.ones(V, np.float32)
M1, M2 = np.zeros_like(E), np.zeros_like(E)
CT = np.zeros(V)
PRE = [
    np.array(tk.encode(x), np.int32)
    for x in (
        "how do i",
        "how to",
        "what is",
        "how can i",
        "what does",
        "where do i",
        "can i",
        "why does",
        "is there a way to",
        "i want to",
        "what is the difference between",
        "how does it work",
        "please help me with",
        "what should i do when",
        "do i need",
    )
]
repos = [r for r in R if len(R[r]["sec"]) >= 150]
pr = np.array([len(R[r]["sec"]) for r in repos]) ** 0.6
pr /= pr.sum()


def sample(r, view):
    g = R[r]
    nl = min(len(g["link"]), int(O["B"] * 0.45))
    Q, P, K = [], [], []
    for i in rng.choice(len(g["link"]), nl, replace=False) if nl else []:
        l = g["link"][i]
        q = l["c"] if (l["same"] or rng.random() < 0.5) else l["a"]
        if rng.random() < 0.2:
            q = np.r_[PRE[rng.integers(len(PRE))], q]
        Q.append(q)
        P.append(l["h"] if view == "H" else np.r_[l["h"], l["x"]])
        K.append(l["key"])
    for i in rng.choice(len(g["sec"]), min(O["B"] - nl, len(g["sec"])), replace=False):
        x = g["sec"][i]
        k = rng.random()
        if x["s"] and (view == "H" or k < 0.5):
            q = x["s"][rng.integers(len(x["s"]))]
            pp = np.r_[x["t"], x["h"], x["x"]] if view == "T" else np.r_[x["t"], x["h"]]
            if view == "T":
                pp = pp[~(np.isin(pp, q) & (rng.random(len(pp)) < 0.8))]
        elif view == "T":
            q = x["last"]
            pp = np.r_[x["t"], x["x"]] if rng.random() < 0.6 else np.r_[x["t"], x["h"], x["x"]]
            if rng.random() < 0.5:
                q = np.r_[PRE[rng.integers(len(PRE))], q]
        else:
            q = x["last"]
            pp = x["h"] if len(x["h"]) > len(x["last"]) else np.r_[x["t"], x["h"]]
        if rng.random() < O["over"] and len(pp):
            pp = pp[~(np.isin(pp, q) & (rng.random(len(pp)) < 0.5))]
        Q.append(q)
        P.append(pp)
        K.append(x["page"] + "|" + str(x["last"][:6]))
    ok = [i for i in range(len(Q)) if len(Q[i]) and len(P[i])]
    return [Q[i] for i in ok], [P[i][:300] for i in ok], [K[i] for i in ok]


def mat(lists, w, cols):
    ix = np.concatenate(lists)
    ptr = np.r_[0, np.cumsum([len(x) for x in lists])]
    c = np.searchsorted(cols, ix)
    ww = w[ix]
    return csr_matrix((ww, c, ptr), (len(lists), len(cols)))


def fwd(A, Es):
    z = A @ Es
    n = np.maximum(np.linalg.norm(z, axis=1, keepdims=True), 1e-6)
    return z / n, n


def bwd(A, u, n, g):
    g = (g - u * (g * u).sum(1, keepdims=True)) / n
    return A.T @ g.astype(np.float32)


def step(cols, g, lr):
    CT[cols] += 1
    t = CT[cols][:, None]
    M1[cols] = 0.9 * M1[cols] + 0.1 * g
    M2[cols] = 0.99 * M2[cols] + 0.01 * g * g
    E[cols] -= lr * (
        (M1[cols] / (1 - 0.9**t)) / (np.sqrt(M2[cols] / (1 - 0.99**t)) + 1e-8) * sc[cols]
        + O["reg"] * (E[cols] - E0[cols])
    )


sc = np.maximum(0.15, np.linalg.norm(E0, axis=1, keepdims=True)).astype(
    np.float32
)  # rows of frequent words are short: smaller steps
t0 = time.time()
avg = {}
for it in range(O["steps"]):
    lr = O["lr"] * min(1, (it + 1) / 50) * (1 - it / O["steps"])
    if O["con"] and rng.random() < O["cf"]:
        r = repos[rng.choice(len(repos), p=pr)]
        view = "T" if rng.random() < 0.6 else "H"
        w = IDF[r] if view == "T" else ONE
        Q, P, K = sample(r, view)
        cols = np.unique(np.concatenate(Q + P))
        Es = E[cols]
        A, B = mat(Q, w, cols), mat(P, w, cols)
        q, nq = fwd(A, Es)
        pv, n2 = fwd(B, Es)
        S = q @ pv.T / O["tau"]
        kk = np.unique(K, return_inverse=True)[1]
        S[(kk[:, None] == kk[None]) & ~np.eye(len(kk), dtype=bool)] = -1e4

        def soft(S):
            e = np.exp(S - S.max(1, keepdims=True))
            return e / e.sum(1, keepdims=True)

        a, b = soft(S), soft(S.T).T
        n = len(kk)
        loss = -np.log(np.maximum(np.diag(a), 1e-9)).mean()
        G = ((a + b) * 0.5 - np.eye(n)) / n / O["tau"] * O["con"]
        g = bwd(A, q, nq, G @ pv) + bwd(B, pv, n2, G.T @ q)
        step(cols, g, lr)
        avg.setdefault(view, []).append(float(loss))
        avg.setdefault(view + "acc", []).append(float((S.argmax(1) == np.arange(n)).mean()))
    if O["teach"] and rng.random() < O["tf"]:
        ix = rng.choice(len(TI), O["tb"], replace=False)
        ix = [i for i in ix if len(TI[i])]
        L = [TI[i] for i in ix]
        cols = np.unique(np.concatenate(L))
        A = mat(L, ONE, cols)
        z, n2 = fwd(A, E[cols])
        T = TG[ix]
        c = (z * T).sum(1).mean()
        step(cols, bwd(A, z, n2, -T / len(L) * O["teach"]), lr)
        avg.setdefault("cos", []).append(float(c))
    if it % 200 == 199:
        print(
            it + 1,
            {k: round(float(np.mean(v)), 3) for k, v in avg.items()},
            f"{time.time() - t0:.0f}s cpu {time.process_time():.0f}",
            flush=True,
        )
        avg = {}
np.save(out, E)
