"""Reads Markdown documentation out of git directories (no work tree) and writes training texts.

usage: corpus.py OUT GITDIR[:licence] ...
OUT/sections.jsonl : {"r": repository, "p": path, "t": page title, "h": [heading path], "x": text}
OUT/links.jsonl    : {"a": anchor text with the words around it, "t": title of the target page, "h": heading, "x": beginning of the target}
The nine evaluated sites must not be among the repositories; translations and changelogs are left out.
"""

import json, os, posixpath, re, subprocess, sys

OUT = sys.argv[1]
SKIP = re.compile(
    r"(^|/)(i18n|locales?|translations?|node_modules|test|tests|__tests__|fixtures?|changelogs?|vendor|versioned_docs|release[-_]?notes|releases?|blog|zh|ja|ko|fr|de|es|pt|ru|it|pl|tr|id|uk|vi|hi|ar|bn|fa|he|az|em|nl|sv|hu|zh-[a-z]+|pt-br)(/|$)",
    re.I,
)
LICENCES = re.compile(
    r"(changelog|history|license|licence|code[-_]of[-_]conduct|contributors|release-notes|sponsors|people)",
    re.I,
)


def plain(s):
    s = re.sub(r"<!--.*?-->", " ", s, flags=re.S)
    s = re.sub(r"!\[([^\]]*)\]\([^)]*\)", r"\1", s)
    s = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", s)
    s = re.sub(r"\[([^\]]+)\]\[[^\]]*\]", r"\1", s)
    s = re.sub(r"\{\{[<%].*?[%>]\}\}", " ", s, flags=re.S)
    s = re.sub(r"</?[A-Za-z][^>]*>", " ", s)
    s = re.sub(r"\{#[^}]*\}", " ", s)
    return re.sub(r"[`*|]+|(?<!\w)_+|_+(?!\w)", " ", s)


def pages(gitdir):
    names = subprocess.run(
        ["git", "--git-dir", gitdir, "ls-tree", "-r", "--name-only", "HEAD"], capture_output=True, text=True
    ).stdout.split("\n")
    names = [
        n
        for n in names
        if re.search(r"\.(md|mdx|markdown)$", n, re.I)
        and not SKIP.search(posixpath.dirname(n))
        and not LICENCES.search(posixpath.basename(n))
    ]
    p = subprocess.Popen(
        ["git", "--git-dir", gitdir, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    for n in names:
        p.stdin.write(f"HEAD:{n}\n".encode())
        p.stdin.flush()
        head = p.stdout.readline().split()
        if len(head) < 3 or head[1] != b"blob":
            continue
        body = p.stdout.read(int(head[2]))
        p.stdout.read(1)
        yield n, body.decode("utf8", "replace")
    p.stdin.close()
    p.wait()


def sections(src):
    title, fm = "", re.match(r"---\n(.*?)\n---\n", src, re.S)
    if fm:
        m = re.search(r'^(?:title|name):\s*["\']?(.+?)["\']?\s*$', fm[1], re.M)
        title = m[1] if m else ""
        src = src[fm.end() :]
    out, path, buf, fence = [], [], [], False

    def flush():
        x = re.sub(r"\n{2,}", "\n", plain("\n".join(buf))).strip()
        if x:
            out.append(([h for _, h in path], x))
        buf.clear()

    for l in src.split("\n"):
        if re.match(r"\s*(```|~~~)", l):
            fence = not fence
            continue
        m = None if fence else re.match(r"(#{1,6})\s+(.+?)\s*#*$", l)
        if m:
            flush()
            d, h = len(m[1]), re.sub(r"\s+", " ", plain(m[2])).strip()
            if d == 1 and not title:
                title = h
                continue
            while path and path[-1][0] >= d:
                path.pop()
            path.append((d, h))
        elif re.match(r"\s*(import|export) .*(from|=)", l) and not fence:
            continue
        else:
            buf.append(l)
    flush()
    return title, out


def main():
    S = open(f"{OUT}/sections.jsonl", "w")
    K = open(f"{OUT}/links.jsonl", "w")
    for gd in sys.argv[2:]:
        repo = gd.rstrip("/").split("/")[-2] if gd.rstrip("/").endswith("repo") else gd
        n = k = 0
        seen = set()
        known = {}
        raw = {}
        for path, src in pages(gd):
            t, ss = sections(src)
            if not ss:
                continue
            t = t or posixpath.basename(path).rsplit(".", 1)[0].replace("-", " ")
            known[path.rsplit(".", 1)[0].lower()] = (t, ss)
            raw[path] = src
            for h, x in ss:
                letters = sum(c.isascii() and c.isalpha() for c in x)
                if len(x) < 40 or letters < 0.5 * len(x) or x[:200] in seen:
                    continue
                seen.add(x[:200])
                n += 1
                S.write(json.dumps({"r": repo, "p": path, "t": t, "h": h, "x": x[:2500]}) + "\n")
        by = {}
        for p in known:
            by.setdefault(
                (
                    posixpath.basename(p)
                    if posixpath.basename(p) not in ("index", "readme", "_index")
                    else posixpath.basename(posixpath.dirname(p))
                ),
                [],
            ).append(p)
        for path, src in raw.items():
            for m in re.finditer(r"(?<!!)\[([^\]\n]{6,120})\]\(([^)\s]+)\)", src):
                to = m[2].split("#")
                frag = to[1].lower() if len(to) > 1 else ""
                base = re.sub(r"\.(mdx?|html)$", "", to[0].rstrip("/")).split("/")[-1].lower()
                c = by.get(base, []) if base else [path.rsplit(".", 1)[0].lower()]
                if len(c) != 1 or c[0] not in known:
                    continue
                t, ss = known[c[0]]
                h, x = ss[0]
                if frag:
                    f = [
                        s
                        for s in ss
                        if s[0] and re.sub(r"[^a-z0-9]+", "-", s[0][-1].lower()).strip("-") == frag.strip("-")
                    ]
                    if not f:
                        continue
                    h, x = f[0]
                a0 = plain(src[max(0, m.start() - 120) : m.start()].split("\n")[-1])
                a1 = plain(src[m.end() : m.end() + 80].split("\n")[0])
                a0 = re.split(r"[.!?:]\s", a0)[-1]
                a1 = re.split(r"[.!?:](\s|$)", a1)[0]
                k += 1
                K.write(
                    json.dumps(
                        {
                            "r": repo,
                            "a": plain(m[1]).strip(),
                            "c": re.sub(r"\s+", " ", a0 + plain(m[1]) + a1).strip(),
                            "t": t,
                            "h": h,
                            "x": x[:1500],
                        }
                    )
                    + "\n"
                )
        print(repo, len(raw), "pages", n, "sections", k, "links", flush=True)


main()
