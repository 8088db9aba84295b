import type { PolicyAttack } from './hostile-pages.ts'

/** What single formats and frameworks make of pages and data, that nothing may be published of. */
export const hostileFormats: PolicyAttack[] = []
/** What looks alike and is fine. */
export const harmlessFormats: PolicyAttack[] = []

const add = (site: string, name: string, content: string, more: Partial<PolicyAttack> = {}): void => {
  hostileFormats.push({ site, name: `${site}: ${name}`, content, ...more })
}
const file = (name: string, path: string, content: string, list = hostileFormats): void => {
  const site = path.slice(0, path.indexOf('/'))
  list.push({ site, name: `${site}: ${name}`, content: '', calls: [['write_file', { path, content }]] })
}

// Lists of attributes
for (const list of [
  '{:href="f(1)"}',
  '{v-on:click="EVIL()"}',
  '{v-html="$frontmatter.b"}',
  '{v-if="f(1)"}',
  '{:title=f(1)}',
  '{v-bind="$frontmatter"}',
])
  add('press', `attributes ${list}`, `[x](/a)${list}`)
add('python', 'attributes with braces', 'Text\n{: onclick="{EVIL()}" }')
add('python', 'attributes behind a lone quote', `Text\n{: x=' onclick="{EVIL()}" }`)
add('plain', 'attributes over lines', 'Text\n{: title="a"\nonclick="EVIL()" }')
// Mustaches that Markdown makes
for (const text of [
  '&#123;&#123; f(1) &#125;&#125;',
  '&lbrace;&lcub; f(1) }}',
  '\\{\\{ f(1) \\}\\}',
  '{\\{ f(1) }}',
  '{&#123; f(1) }}',
])
  add('press', text, text)
add('press', 'style with a binding', '<style>p { color: v-bind("f(1)") }</style>')
add('mint', 'an element by a property', '<props.as src="x">EVIL()</props.as>')
// Python-Markdown
add('python', 'block script', '/// html | script\nEVIL()\n///')
add('python', 'block frame', '/// html | iframe[src="https://evil.net"]\n///')
add('python', 'block handler', '/// html | img[src=x onerror="EVIL()"]\n///')
add('python', 'program', '::: mkdocs-click\n    :module: evil\n    :command: x')
add('python', 'documentation of a module', '::: os.system')
for (const info of ['python {exec="on"}', '{.python exec="y"}', 'python html="true" exec="t"', 'pyodide'])
  add('python', `fence ${info}`, `\`\`\`${info}\nEVIL()\n\`\`\``)
const secrets = {
  'certs/server.pem': 'x\n',
  'cfg/credentials.json': '{}\n',
  'python/docs/.npmrc': 'x\n',
}
for (const path of ['certs/server.pem', 'cfg/credentials.json', 'docs/.npmrc'])
  add('python', `snippet ${path}`, `--8<-- "${path}"`, { base: secrets })
add('python', 'snippets without an end', '--8<--\n../.env')
add('python', 'many snippets', `--8<--\n${'snippets/note.md\n'.repeat(60)}../.env\n--8<--`)
add('python', 'include of a name with blanks', '{!a b.env!}')
file('settings of a folder', 'python/docs/.meta.yml', 'template: ../evil.html\n')
// Formulas, drawings, spans and styles
for (const formula of [
  '\\href{javascript:EVIL()}{x}',
  '\\url{javascript:EVIL()}',
  '\\includegraphics{https://evil.net/p.png}',
  '\\htmlStyle{background:url(https://evil.net/p.png)}{x}',
]) {
  add('plain', formula, `$${formula}$`)
  add('plain', `fence ${formula}`, `\`\`\`math\n${formula}\n\`\`\``)
}
const loaded = '%%{init: {"themeCSS": "@import url(https://evil.net/x)"}}%%\ngraph TD\nA'
add('plain', 'style of a drawing', `\`\`\`mermaid\n${loaded}\n\`\`\``)
add('plain', 'link of a drawing', '```plantuml\n[[javascript:EVIL() x]]\n```')
add('plain', 'drawing by a class', '``` {.mermaid}\ngraph TD\nclick A "javascript:EVIL()"\n```')
add('plain', 'raw span', '`<img src=x onerror=EVIL()>`{=html}')
add('plain', 'role that runs', '{eval}`x`')
add('plain', 'escapes of a style', '<svg><rect mask="u\\72l(//evil.net/x#f)"/></svg>')
add('plain', 'a user by name', '<img src="https://images.acme.com&commat;evil.net/p.png">', {
  base: { 'plain/i.md': '![x](https://images.acme.com/p.png)\n' },
})
add('plain', 'owner of the site', '<meta name="google-site-verification" content="EVIL">')
add(
  'press',
  'owner in the head',
  '---\nhead:\n  - - meta\n    - name: google-site-verification\n      content: EVIL\n---\n',
)
// Data of which readers do not say the same
file('two of one name', 'mint/x.json', '{"servers": [{"url": "https://evil.net"}], "servers": []}')
file('two of one name', 'mint/x.yaml', 'image: https://evil.net/p.png\nimage: /b\n')
file('two documents', 'mint/x.yaml', 'a: 1\n---\nservers:\n  - url: https://evil.net\n')
file('a tag', 'mint/x.yaml', 'a: !!python/object/apply:os.system ["EVIL"]\n')
file('a file by a tag', 'mint/x.yaml', 'a: !include /etc/passwd\n')
file('bytes', 'mint/x.yaml', `a: !!binary ${Buffer.from('<script>EVIL()</script>').toString('base64')}\n`)
file('a server of AsyncAPI', 'mint/a.yaml', 'asyncapi: 3.0.0\nservers:\n  p:\n    host: evil.net\n')
add(
  'press',
  'two of one name in front matter',
  '---\nhero: "\\x3cimg src=x onerror=EVIL()>"\nhero: x\n---\n\nText.\n',
)
// reStructuredText
const raw = 'raw:: html\n\n        <script>EVIL()</script>\n'
for (const text of [
  `- .. ${raw}`,
  `1. .. ${raw}`,
  `:x: .. ${raw}`,
  '| .. include:: /etc/passwd |\n',
  `..  ${raw}`,
  `..\t${raw}`,
  `.. raw :: html\n\n        <script>EVIL()</script>\n`,
  `\f.. ${raw}`,
  '.. image::\n   https://evil.net/p.png\n',
  '.. image:: https://\n   evil.net/p.png\n',
  '.. _x: java\n   script:EVIL()\n',
  '`x <java\\script:EVIL()>`_\n',
  '`x <java\nscript:EVIL()>`_\n',
  '`x <data:image/svg+xml,xx>`_\n',
  ':download:`x\n<../../.env>`\n',
  ':math:`\\href{javascript:EVIL()}{x}`\n',
  ':math:`\\style{background:url(https://evil.net/p.png)}{x}`\n',
])
  add('plain', `rst ${JSON.stringify(text)}`, `RAW${text}`, { path: 'plain/evil.rst' })
// AsciiDoc
for (const text of [
  'include::../../my secrets/.env[]',
  'stem:[\\href{javascript:EVIL()}{x}]',
  'link:/a[x,role="a\\" onclick=\\"EVIL()"]',
  'link:++javascript:EVIL()++[x]',
  'image::/a.png[link=javascript:EVIL()]',
  ':u: javascript\n\nlink:{u}:EVIL()[x]',
  ':u: script:EVIL()\n\nlink:java{u}[x]',
  ':u: https://evil.net\n\nimage::{u}/p.png[]',
  '[pass]\n--\n<script>EVIL()</script>\n--',
  '[%header,subs-=x]\n<script>EVIL()</script>',
  '$$<script>EVIL()</script>$$',
  '{set:stylesheet:https://evil.net/x.css}',
  ':linkcss:',
  ':favicon: https://evil.net/p.png',
  ':mathjaxdir: https://evil.net',
])
  add('plain', `adoc ${JSON.stringify(text)}`, `RAW= x\n\n${text}\n`, { path: 'plain/evil.adoc' })

const fine = (path: string, content: string): void =>
  file(JSON.stringify(content.slice(0, 50)), path, content, harmlessFormats)
fine('plain/a.rst', 'A\n=\n\n- .. note:: x\n\n- See `it <https://acme.com>`_ and :math:`\\frac{1}{2}`.\n')
fine(
  'plain/a.adoc',
  '= A\n:u: https://acme.com\n\nSee {u}[it] and `on = 1`.\n\n----\n<script>shown()</script>\n----\n',
)
fine('plain/m.md', '# A\n\n$\\frac{a}{b}$ and {#id} and {.note title="x"} and `\\href{x}`{.tex}.\n')
fine('press/a.md', '# A {#a .b}\n\n![x](/a.png){width=10 .wide} and `{{ x() }}` and {\\"a\\": 1}.\n')
fine('python/docs/a.md', '# A { #a .b data-toc-label="x" }\n\n```python title="exec"\nx = 1\n```\n')
fine('mint/o.yaml', 'openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths:\n  /a:\n    head: {summary: x}\n')
