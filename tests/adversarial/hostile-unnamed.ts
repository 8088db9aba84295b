import type { PolicyAttack } from './hostile-pages.ts'

/** What formats that the policy does not know by name make of a page: each acts by a sign of its own. */
export const hostileUnnamed: PolicyAttack[] = []
/** The same signs where they are only shown. */
export const harmlessUnnamed: PolicyAttack[] = []

const add = (site: string, name: string, content: string, more: Partial<PolicyAttack> = {}): void => {
  hostileUnnamed.push({ site, name: `${site}: ${name}`, content, ...more })
}
const text = (name: string, path: string, content: string): void =>
  add(path.slice(0, path.indexOf('/')), name, `RAW${content}`, { path })

// Other markups, in files that sites take in
text('Typst include', 'plain/evil.txt', '= Evil\n\n#include "../../.env"\n')
text('Typst evaluation', 'plain/evil.txt', '= Evil\n\n#eval("sys.inputs")\n')
text('Org include', 'plain/evil.txt', '* Evil\n\n#+INCLUDE: "/etc/passwd"\n')
text('Org code', 'plain/evil.txt', '* Evil\n\n#+BEGIN_SRC sh :results output\nenv\n#+END_SRC\n')
text('Textile image', 'plain/evil.txt', 'h1. Evil\n\n!https://evil.net/p.png!\n')
text('Textile raw', 'plain/evil.txt', 'h1. Evil\n\nnotextile. <svg onload=EVIL()>\n')
text('MediaWiki template', 'plain/evil.txt', '= Evil =\n\n{{#invoke:Evil|run}}\n')
text('MediaWiki file', 'plain/evil.txt', '= Evil =\n\n[[File:https://evil.net/p.png]]\n')
text('Pug attributes', 'plain/evil.txt', 'script(src="https://evil.net/x.js")\n')
text('Pug interpolation', 'plain/evil.txt', 'p Evil #{process.env.KEY}\n')
text('Antora include', 'plain/evil.adoc', '= Evil\n\ninclude::other@evil:page$secret.adoc[]\n')
text('Antora attribute', 'plain/evil.adoc', '= Evil\n\nimage::{evil-host}/p.png[]\n')
text('Sphinx program', 'plain/evil.rst', 'Evil\n====\n\n.. autoprogram:: evil:main\n')
text('Sphinx role', 'plain/evil.rst', 'Evil\n====\n\n:eval:`__import__("os").environ`\n')
text('notebook', 'plain/evil.ipynb', '{"cells": [{"cell_type": "code", "source": ["import os"]}]}\n')
// Components and templates
add('plain', 'Svelte HTML', '{@html EVIL}')
add('plain', 'Svelte expression', 'Hello {fetch("/EVIL")}')
add('plain', 'mdsvex script', '<script context="module">\n  EVIL()\n</script>')
add('plain', 'Marko attribute', '<${EVIL} onClick() { run() }/>')
add('mint', 'Marko tag', '<await(EVIL())></await>')
add('plain', 'Handlebars raw', '{{{EVIL}}}')
add('plain', 'Handlebars partial', '{{> evil-partial}}')
add('plain', 'Liquid render', '{% render "evil", x: site.secrets %}')
add('plain', 'Liquid raw filter', '{{ site.data.secrets | jsonify }}')
add('plain', 'EJS', '<%- include("/etc/passwd") %>')
add('plain', 'EJS in a paragraph', 'Hello <%= process.env.KEY %> there')
add('plain', 'Nunjucks import', '{% from "evil.njk" import run %}{{ run() }}')
add('plain', 'Twig source', '{{ source("/etc/passwd") }}')
// Directives
add('plain', 'MyST role', '{eval}`os.environ`')
add('plain', 'MyST substitution', '{sub-ref}`EVIL` and {{ evil }}')
add('plain', 'MyST cell', '```{code-cell} python\nimport os\n```')
add('plain', 'MDC component', '::evil-component{src="https://evil.net"}\nText\n::')
add('plain', 'MDC span', 'Text :evil-button[x]{onclick="EVIL()"} more')
add('plain', 'GitBook block', '{% openapi src="https://evil.net/o.json" path="/" method="get" %}')
add('plain', 'Obsidian transclusion', '![[secrets]]')
add('plain', 'Obsidian dataview', '```dataviewjs\ndv.io.load("EVIL")\n```')
add('plain', 'Obsidian template', '<%* await tp.system.prompt() %>')
add('plain', 'Quarto shortcode', '{{< include ../../.env >}}')
add('plain', 'Quarto cell', '```{python}\n#| echo: false\nimport os\n```')
add('plain', 'Quarto span', '[x]{.evil onclick="EVIL()"}')
add('plain', 'R Markdown cell', '```{r, echo=FALSE}\nsystem("env")\n```')
add('plain', 'R Markdown inline', 'Today is `{r} Sys.getenv()`{=html}')
add('plain', 'Kroki fence', '```kroki-plantuml\n!include https://evil.net/x\n```')
add('plain', 'Vega data', '```vega\n{"data": [{"url": "//evil.net/x.json"}]}\n```')
add('plain', 'mermaid callback', '```mermaid\ngraph TD\nA-->B\nclick A call EVIL()\n```')
add(
  'plain',
  'mermaid configuration',
  '```mermaid\n---\nconfig:\n  securityLevel: loose\n---\n%%{init: {"x": 1}}%%\ngraph TD\n```',
)
add('plain', 'Docsify embed', "[x](other.md ':include :type=code')")
add('plain', 'Docsify script', '[x](x.js ":include :type=iframe")')
add('plain', 'VuePress code', '@[code](../../.env)')
add('plain', 'VuePress import', '@include(../../.env)')
add('press', 'VitePress snippet', '<<< @/../../.env{2}')
add('press', 'VitePress component', '<EvilWidget />')
add('press', 'Slidev code', '<<< /etc/passwd js {monaco-run}')
add('plain', 'Slidev run', '```ts {monaco-run}\nEVIL()\n```')
add('star', 'island', 'import Evil from "@evil/island"\n\n<Evil client:load />', {
  path: 'star/src/content/docs/evil.mdx',
})
add('star', 'island of a known component', '<Card client:only="react" title="x" />', {
  path: 'star/src/content/docs/evil.mdx',
})
add('star', 'fragment with HTML', '<Fragment set:html={"EVIL"} />', {
  path: 'star/src/content/docs/evil.mdx',
})
add('hugo', 'render hook by a link', '{{% evil-hook %}}x{{% /evil-hook %}}')
add('hugo', 'Hugo raw HTML', '{{< rawhtml >}}<script>EVIL()</script>{{< /rawhtml >}}')
add('plain', 'Eleventy script', '---js\n{ title: process.env.KEY }\n---\n\nEvil.\n')
add('plain', 'Eleventy data', '---json\n{ "eleventyComputed": { "title": "{{ secrets }}" } }\n---\n\nEvil.\n')
add('plain', 'Markdoc tag', '{% evil-tag src=$secrets /%}')
add('plain', 'Wikijs embed', '[diagram](/x){.is-embed onclick="EVIL()"}')
add('plain', 'Doxygen include', '@includedoc{doc} "../../.env"')
add('plain', 'mdBook playground', '{{#playground ../../.env editable}}')
add('plain', 'Ruby template', '#{`env`}')
add('python', 'an unknown block', '/// evil-exec\nenv\n///')
add('python', 'a snippet with a mark', ';--8<-- "x"\n\n--8<-- "../.env:key"')
add('saurus', 'a directive', ':::evil-plugin{run}\nText\n:::')
add('mint', 'a module of a component', 'import { run } from "/snippets/evil.jsx"\n\n{run()}')
add('plain', 'a frame in capitals', '<IFRAME src="https://evil.net/x"></IFRAME>', {
  base: { 'plain/f.md': '<IFRAME src="https://ok.net/x"></IFRAME>\n' },
})
add('plain', 'a script in capitals', '<SCRIPT>EVIL()</SCRIPT>', {
  base: { 'plain/f.md': '<SCRIPT>fine()</SCRIPT>\n' },
})

const shown = (site: string, name: string, content: string): void => {
  harmlessUnnamed.push({ site, name: `${site}: ${name}`, content })
}
for (const [language, code] of [
  ['svelte', '<script>\n  let x = 1\n</script>\n\n{@html x}'],
  ['ejs', '<%= user.name %>'],
  ['pug', 'script(src="x.js")\np #{name}'],
  ['txt', '#include "x.typ"\n![[page]]\n@[code](x.js)\n::component{x="y"}'],
  ['text', '#+BEGIN_SRC sh\nls\n#+END_SRC'],
] as const)
  shown('saurus', `${language} in a fence`, `\`\`\`${language} title="shown"\n${code}\n\`\`\``)
shown('plain', 'signs in code', 'Use `::name{a}`, `![[page]]` and `{@html z}`.')
shown('plain', 'a drawing', '```mermaid\ngraph TD\n  A[Start] --> B{Is it?}\n  B -->|yes| C(End)\n```')
shown('saurus', 'plain directives', ':::note[Read this]\n\nText.\n\n:::')
shown(
  'press',
  'plain containers',
  '::: tip A title\nText.\n:::\n\n::: code-group\n\n```sh [npm]\nnpm i\n```\n\n:::',
)
shown(
  'python',
  'admonitions',
  '!!! note "A title"\n\n    Text with `code`.\n\n??? tip\n\n    ```python hl_lines="1 2"\n    x = {"a": 1}\n    ```\n\n=== "One"\n\n    Text.',
)
