import { casesOf } from './harmless-case.ts'
import { githubSite, starlightSite, vitepressSite } from './harmless-markdown-sites.ts'
import { docusaurusSite, mintlifySite } from './harmless-mdx-sites.ts'
import { macrosSite, mkdocsSite } from './harmless-other-sites.ts'

// Pages full of the signs of code, all of them shown only.

const mintlify = casesOf(mintlifySite)
const docusaurus = casesOf(docusaurusSite)
const mkdocs = casesOf(mkdocsSite)
const macros = casesOf(macrosSite)
const vitepress = casesOf(vitepressSite)
const starlight = casesOf(starlightSite)
const github = casesOf(githubSite)

mintlify.page(
  'workflows in a fence',
  'docs/guides/ci.mdx',
  `
---
title: "Continuous integration"
---

\`\`\`yaml .github/workflows/labels.yml
on: push
jobs:
  labels:
    runs-on: \${{ matrix.os }}
    steps:
      - run: parcelo labels --key "\${{ secrets.PARCELO_KEY }}"
        if: \${{ github.ref == 'refs/heads/main' && !cancelled() }}
\`\`\`

The expression \`\${{ secrets.PARCELO_KEY }}\` is replaced by the runner.
`,
)
mintlify.page(
  'calls with curl and answers',
  'docs/guides/curl.mdx',
  `
---
title: "Calls with curl"
---

\`\`\`bash
curl -sS -X POST 'https://api.example.com/v2/parcels?dry_run=true' \\
  -H "Authorization: Bearer \${PARCELO_KEY:?}" \\
  -H 'Content-Type: application/json' \\
  -d @- <<'JSON' | jq '.data[] | select(.weight_g < 500) | {id, weight_g}'
{ "weight_g": 420, "to": { "country": "DE" } }
JSON
\`\`\`

\`\`\`json
{ "data": [{ "id": "par_1", "links": { "self": "https://api.example.com/v2/parcels/par_1" } }] }
\`\`\`

Ranges such as \`1 <= n < 100\`, \`{id}\` and \`Map<string, Array<number>>\` are written in code.
`,
)
mintlify.page(
  'placeholders for the environment',
  'docs/guides/environment.mdx',
  `
---
title: Environment
---

\`\`\`dotenv .env.example
PARCELO_API_KEY=YOUR_API_KEY
PARCELO_WEBHOOK_SECRET="<your webhook secret>"
DATABASE_URL=postgres://user:password@localhost:5432/parcelo
LOG_LEVEL=info # debug | info
\`\`\`
`,
)
mintlify.page(
  'components shown in a fence',
  'docs/guides/react.mdx',
  `
---
title: React
---

\`\`\`\`mdx
\`\`\`jsx
<Card title="x" />
\`\`\`

import { useState } from "react"

export const Box = () => <iframe src="https://example.com/x" onLoad={() => alert(1)} />
\`\`\`\`

\`\`\`tsx App.tsx {4}
export function App() {
  const [n, setN] = useState<number>(0)
  useEffect(() => { document.title = \`\${n}\` }, [n])
  return <button onClick={() => setN((old) => old + 1)} style={{ color: "red" }}>{n}</button>
}
\`\`\`
`,
)
mintlify.edit('a header more in a call', {
  'docs/api-reference/errors.mdx': [
    [
      '-H "Authorization: Bearer YOUR_API_KEY"',
      '-H "Authorization: Bearer YOUR_API_KEY" -H "Idempotency-Key: $(uuidgen)" -d \'{"to": {"zip": "{zip}"}}\'',
    ],
  ],
})
docusaurus.page(
  'queries and patterns',
  'website/docs/guides/queries.md',
  `
---
title: Queries
---

\`\`\`sql
SELECT p.id, count(*) FILTER (WHERE s.kind <> 'scan') AS n
FROM pieces AS p LEFT JOIN scans AS s ON s.piece = p.id
WHERE p.size < 4 * 1024 * 1024 AND p.name ~ '^[a-z]{3}\\d+$'
GROUP BY p.id HAVING count(*) > 1; -- {not} an expression
\`\`\`

The pattern \`/^(?<name>[\\w-]{1,64})@(?:v\\d+\\.){2}$/u\` and the glob \`**/*.{js,ts}\` are code.
`,
)
docusaurus.page(
  'C and headers',
  'website/docs/guides/c.md',
  `
---
title: The C library
---

\`\`\`c title="main.c"
#include <quarry.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))

int main(void) { struct piece *p = quarry_cut("file", 4 << 20); return p->size <= 0; }
\`\`\`

Use \`#include <quarry.h>\`, \`std::vector<piece>\` and \`@param p\` in comments.
`,
)
docusaurus.edit(
  'a table of long types',
  {
    'website/docs/guides/types.md': [
      [
        '| `size` | `number` |',
        `
| \`size\` | \`number\` |
| \`onPiece\` | \`(piece: Readonly<Piece>, at: { index: number }) => void \\| Promise<void>\` |
| \`names\` | \`Record<string, Array<string \\| undefined>>\` |`,
      ],
    ],
  },
  {
    'website/docs/guides/types.md': `
---
title: Types
---

| Field | Type |
| --- | --- |
| \`size\` | \`number\` |
`,
  },
)
mkdocs.page(
  'templates of Helm and Go',
  'handbook/docs/guide/helm.md',
  `
# Helm

\`\`\` yaml title="templates/deployment.yaml"
replicas: {{ .Values.replicas | default 1 }}
{{- range $k, $v := .Values.env }}
  - name: {{ $k }}
    value: {{ $v | quote }}
{{- end }}
\`\`\`

\`\`\` go
tmpl := template.Must(template.New("x").Parse("{{ if .Ok }}{{ .Name }}{{ end }}"))
\`\`\`
`,
)
mkdocs.page(
  'a session at a terminal',
  'handbook/docs/guide/session.md',
  `
# A session

\`\`\` console
$ ledgerly check *.ledger 2>&1 | tee check.log
error: books.ledger:12: <amount> is missing
$ echo "\${PIPESTATUS[0]}"
1
\`\`\`

\`\`\` pycon
>>> from ledgerly import Ledger
>>> {e.account: e.amount for e in Ledger("books") if e.amount < 0}
{'food': -3.2}
\`\`\`
`,
)
mkdocs.page(
  'a unit and a timer',
  'handbook/docs/guide/server.md',
  `
# On a server

\`\`\` ini title="/etc/systemd/system/ledgerly@.service"
[Service]
ExecStart=/usr/bin/ledgerly serve --port %i
Environment=LEDGERLY_TOKEN=<token>
\`\`\`

\`\`\` nginx
location ~ ^/books/(?<name>[a-z]+)$ { proxy_pass http://127.0.0.1:8000/$name; }
\`\`\`
`,
)
macros.page(
  'braces without a macro in them',
  'manual/docs/api.md',
  `
# API

\`\`\`json
{ "orbit": { "name": "low", "satellites": [{ "id": 1 }] } }
\`\`\`

The path is \`/orbits/{id}\`; \`{ id }\` is a number, and 100 % of orbits have one.
`,
)
vitepress.page(
  'shells and signs',
  'docs/guide/shell.md',
  `
# Shells

\`\`\`sh
for f in *.{js,ts}; do echo "\${f%.*}" >> "$HOME/list"; done
[[ $# -lt 1 ]] && { echo "usage: $0 <file>" >&2; exit 64; }
\`\`\`

\`\`\`powershell
Get-ChildItem | Where-Object { $_.Length -lt 4MB } | ForEach-Object { "$($_.Name)" }
\`\`\`

\`\`\`batch
set PATH=%PATH%;C:\\wharf\\bin
\`\`\`
`,
)
vitepress.page(
  'Vue shown with directives',
  'docs/guide/vue.md',
  `
# Vue

\`\`\`\`md
\`\`\`vue
<PluginList :plugins="list" @select="open" v-html="raw" />
\`\`\`
\`\`\`\`

\`\`\`vue-html
<li v-for="{ id, name } in plugins" :key="id" v-bind="$attrs">{{ name.toUpperCase() }}</li>
\`\`\`

The shorthand \`:key\` is \`v-bind:key\`, and \`@click\` is \`v-on:click\`.
`,
)
vitepress.edit('code of a settings file', {
  'docs/guide/start.md': [
    [
      `
    'worker',
  ],`,
      `
    'worker',
  ],
  define: { __DEV__: \`\${process.env.NODE_ENV !== 'production'}\` },
  plugins: [{ name: 'x', transform(code) { return code.replace(/{{(\\w+)}}/g, (_, key) => env[key]) } }],`,
    ],
  ],
})
starlight.page(
  'generics and JSX in code',
  'docs/src/content/docs/reference/types.mdx',
  `
---
title: Types
---

\`Job<Input, Output>\` takes \`{ input: Input }\` and gives \`Promise<Output | undefined>\`.

\`\`\`astro
---
const { jobs } = Astro.props
---
<ul>{jobs.map((job) => <li set:html={job.html} />)}</ul>
\`\`\`

\`\`\`rust
impl<'a, T: Fn(&'a str) -> Option<u8>> Job<'a, T> { fn run(&self) -> bool { self.n < 3 && true } }
\`\`\`
`,
)
starlight.page(
  'a reference with many rows',
  'docs/src/content/docs/reference/cron.md',
  `
---
title: Expressions
---

| Expression | Meaning |
| --- | --- |
| \`*/5 * * * *\` | every five minutes |
| \`0 0 1 * *\` | on the first |
| \`@daily\` | at midnight |
| \`0 {2,4} * * <1-5>\` | refused |
| \`H(0-29)/10 * * * *\` | of others |
`,
)
github.page(
  'code indented and in quotes',
  'docs/snippets.md',
  `
# Snippets

    $ tern -n *.jpg
    { indented } & <code>

> \`\`\`html
> <img src="https://example.com/x.png" onerror="run()">
> \`\`\`

- \`\`\`js
  const a = \`\${b}\`
  \`\`\`

~~~markdown
![x](https://example.com/y.png)
~~~

\`\` \`tick\` \`\` and \`\`\` \`\` \`\`\`.
`,
)
github.page(
  'headers and packets',
  'docs/protocol.md',
  `
# Protocol

\`\`\`http
POST /rename HTTP/1.1
Host: localhost:8080
Cookie: id=<id>

from=a&to=b%20c
\`\`\`

\`\`\`
+--------+--------+
| 0x7f   | <len>  |
+--------+--------+
\`\`\`
`,
)
github.edit('a command with signs', {
  'README.md': [
    [
      'npm install --global tern-cli',
      'npm install --global tern-cli && tern --version | grep -E \'^[0-9]+\\.{2}\' > "$HOME/.tern"',
    ],
  ],
})
github.edit('a rule with a pattern', {
  'docs/rules.md': [['2. Dates', '2. Dates, as `s/(\\d{4})-(\\d\\d)/<$2.$1>/g` or `{year}`']],
})

export const harmlessCode = [
  ...mintlify.cases,
  ...docusaurus.cases,
  ...mkdocs.cases,
  ...macros.cases,
  ...vitepress.cases,
  ...starlight.cases,
  ...github.cases,
]
