import type { PolicyAttack } from './hostile-pages.ts'

/** Pages with blocks, includes and front matter that nothing may be published of. */
export const hostileBlocks: PolicyAttack[] = []
const add = (site: string, name: string, content: string, more: Partial<PolicyAttack> = {}): void => {
  hostileBlocks.push({ site, name: `${site}: ${name}`, content, ...more })
}

// Fences
for (const info of [
  '{raw} html',
  '{=html}',
  '{include} /etc/passwd',
  '{figure} https://evil.net/p.png',
  '{image} https://evil.net/p.png',
  '{literalinclude} ../../.env',
  '{bash}',
  '{ojs}',
  '{sql}',
  '{exec}',
  '{program-output} env',
  '{plot}',
  '{jupyter-execute}',
  '{command-output} env',
  '{autodoc}',
  '{graphviz} /etc/passwd',
  '{download} ../../.env',
])
  add('plain', `fence ${info}`, `\`\`\`${info}\n<script>EVIL()</script>\n\`\`\``)
add('plain', 'colon fence raw', ':::{raw} html\n`<script>EVIL()</script>`\n:::')
add('plain', 'colon fence include', ':::{include} /etc/passwd\n:::')
add('plain', 'colon fence figure', ':::{figure} https://evil.net/p.png\n:::')
add('plain', 'myst download role', '{download}`../../.env`')
add('plain', 'mermaid click', '```mermaid\ngraph TD\nA-->B\nclick A "javascript:EVIL()"\n```')
add(
  'plain',
  'mermaid image',
  '```mermaid\nflowchart TD\nA@{ img: "https://evil.net/p.png", label: "x" }\n```',
)
add('plain', 'mermaid html', '```mermaid\ngraph TD\nA["<img src=x onerror=EVIL()>"]\n```')
add('plain', 'plantuml include', '```plantuml\n!include https://evil.net/x.puml\n```')
add('plain', 'plantuml include file', '```plantuml\n!include /etc/passwd\n```')
add('plain', 'vega', '```vega-lite\n{"data": {"url": "https://evil.net/x.json"}}\n```')
add('plain', 'docsify include', '[x](https://evil.net/x.md ":include")')
add('plain', 'docsify iframe', "[x](https://evil.net/x ':include :type=iframe')")
add('plain', 'mdbook include', '{{#include ../../.env}}')
add('plain', 'gitbook embed', '{% embed url="https://evil.net/x" %}', {
  base: { 'plain/e.md': '{% embed url="https://ok.net/x" %}\n' },
})
add('python', 'include-markdown lines', '{%\n   include-markdown "/etc/passwd"\n%}')
add('python', 'include-markdown lines 2', '{%\n   include "../../.env"\n   start="x"\n%}')
add('python', 'snippet txt', '', {
  calls: [
    ['write_file', { path: 'python/docs/evil.txt', content: '<script>EVIL()</script>\n' }],
    ['write_file', { path: 'python/docs/evil.md', content: '# x\n\n--8<-- "evil.txt"\n' }],
  ],
})
add('python', 'snippet csv', '', {
  calls: [
    ['write_file', { path: 'python/docs/evil.csv', content: '<img src=x onerror=EVIL()>\n' }],
    ['write_file', { path: 'python/docs/evil.md', content: '# x\n\n--8<-- "evil.csv"\n' }],
  ],
})
add('python', 'snippet closes fence', '', {
  calls: [
    ['write_file', { path: 'python/docs/evil2.md', content: '```\n<script>EVIL()</script>\n```\n' }],
    ['write_file', { path: 'python/docs/evil.md', content: '# x\n\n```\n--8<-- "evil2.md"\n```\n' }],
  ],
})
add('press', 'include closes fence', '', {
  calls: [
    ['write_file', { path: 'press/evil2.md', content: '```\n<script>EVIL()</script>\n```\n' }],
    ['write_file', { path: 'press/evil.md', content: '# x\n\n```\n<!--@include: ./evil2.md-->\n```\n' }],
  ],
})
add('press', 'snippet html as md', '', {
  calls: [
    ['write_file', { path: 'press/evil.txt', content: '<script>EVIL()</script>' }],
    ['write_file', { path: 'press/evil.md', content: '# x\n\n<!--@include: ./evil.txt-->\n' }],
  ],
})
add('python', 'attr list long', `Text.\n{: title="${'x'.repeat(1100)}" onclick="EVIL()" }`)
add('python', 'attr list directive', 'Text.\n{: style="background:url(https://evil.net/p.png)" }')
add('python', 'fence attr', '``` { .js onclick="EVIL()" }\nx\n```')
add('python', 'meta refresh md', '<meta http-equiv="refresh" content="0;url=https://evil.net">')
// Other markup
const rst = (name: string, content: string) =>
  add('plain', `rst ${name}`, content, { path: 'plain/evil.rst' })
rst('role raw', 'RAW.. role:: h(raw)\n   :format: html\n\n:h:`<script>EVIL()</script>`\n')
rst('plot', 'RAWx\n\n.. plot::\n\n   import os; os.system("EVIL")\n')
rst('program-output', 'RAWx\n\n.. program-output:: env\n')
rst('automodule', 'RAWx\n\n.. automodule:: os\n   :members:\n')
rst('target js', 'RAWx_\n\n.. _x: javascript:EVIL()\n')
rst('image target js', 'RAW.. image:: /a.png\n   :target: javascript:EVIL()\n')
rst('link js', 'RAW`x <javascript:EVIL()>`_\n')
rst('meta refresh', 'RAW.. meta::\n   :http-equiv=refresh: 0;url=https://evil.net\n')
rst('substitution image', 'RAW.. |x| image:: https://evil.net/p.png\n')
rst('download', 'RAW:download:`../../.env`\n')
rst('jupyter', 'RAW.. jupyter-execute::\n\n   import os\n')
rst('ifconfig', 'RAW.. exec_code::\n\n   import os\n')
const adoc = (name: string, content: string) =>
  add('plain', `adoc ${name}`, content, { path: 'plain/evil.adoc' })
adoc('passthrough', 'RAW= x\n\n++++\n<script>EVIL()</script>\n++++\n')
adoc('passthrough in fence', 'RAW= x\n\n++++\n```\n<script>EVIL()</script>\n```\n++++\n')
adoc('inline pass', 'RAW= x\n\npass:[`<img src=x onerror=EVIL()>`]\n')
adoc('link js', 'RAW= x\n\nlink:javascript:EVIL()[x]\n')
adoc('image', 'RAW= x\n\nimage::https://evil.net/p.png[]\n')
adoc('image inline', 'RAW= x\n\nSee image:https://evil.net/p.png[] there.\n')
adoc('include', 'RAW= x\n\ninclude::/etc/passwd[]\n')
adoc('video', 'RAW= x\n\nvideo::https://evil.net/p.mp4[]\n')
adoc('docinfo', 'RAW= x\n:docinfo: shared\n:docinfodir: /etc\n\nx\n')
adoc('data uri', 'RAW= x\n:allow-uri-read:\n\nx\n')
// Opting out
add('mint', 'blank line opt-out', '', {
  base: { 'mint/v.mdx': '\n---\ntitle: V\ndocwright: false\n---\n\nHands\n' },
  calls: [['edit_file', { path: 'mint/v.mdx', edits: [{ search: 'Hands', replace: 'EVIL' }] }]],
})
add('mint', 'yaml language opt-out', '', {
  base: { 'mint/v.mdx': '---yaml\ntitle: V\ndocwright: false\n---\n\nHands\n' },
  calls: [['edit_file', { path: 'mint/v.mdx', edits: [{ search: 'Hands', replace: 'EVIL' }] }]],
})
add('hugo', 'json opt-out', '', {
  base: { 'hugo/content/v.md': '{\n"title": "V",\n"docwright": false\n}\n\nHands\n' },
  calls: [['edit_file', { path: 'hugo/content/v.md', edits: [{ search: 'Hands', replace: 'EVIL' }] }]],
})
add('mint', 'opt-out other writing', '', {
  base: { 'mint/v.mdx': '---\ntitle: V\nDocwright: FALSE\n---\n\nHands\n' },
  calls: [['edit_file', { path: 'mint/v.mdx', edits: [{ search: 'Hands', replace: 'EVIL' }] }]],
})
add('mint', 'opt-out nested in comment end', '', {
  base: { 'mint/v.mdx': '---\ntitle: V\n--- # end\ndocwright: false\n---\n\nHands\n' },
  calls: [['edit_file', { path: 'mint/v.mdx', edits: [{ search: 'Hands', replace: 'EVIL' }] }]],
})
