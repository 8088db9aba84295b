"""init.py VOCAB OUT TOKENIZER: each entry of the vocabulary alone through the teacher -> OUT (n x 384, float32). A continuation '##x' is given as its word piece."""

import sys, json, numpy as np, time

vocab, out, tokf = sys.argv[1:4]
sys.argv = ["teach.py", ".", "/tmp", "0", "1", tokf]
import teach

V = json.load(open(vocab))
tk = teach.tok
tk.no_truncation()
ids = []
for w in V:
    i = tk.token_to_id(w)
    ids.append([101, i, 102] if i is not None else tk.encode(w).ids)
E = np.zeros((len(V), 384), np.float32)
by = {}
t = time.time()
for i, x in enumerate(ids):
    by.setdefault(len(x), []).append(i)
for L, ix in by.items():
    for b in range(0, len(ix), 256):
        a = np.array([ids[i] for i in ix[b : b + 256]], np.int64)
        o = teach.S.run(
            None, {"input_ids": a, "attention_mask": np.ones_like(a), "token_type_ids": np.zeros_like(a)}
        )[0]
        E[ix[b : b + 256]] = o.mean(1)
np.save(out, E)
print(E.shape, f"{time.time() - t:.0f}s")
