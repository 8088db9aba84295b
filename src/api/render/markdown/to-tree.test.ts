import { expect, it } from 'vitest'
import { printTree } from './print-tree.ts'
import { toPlacedTree, toTree } from './to-tree.ts'

const shown = async (text: string, isMdx: boolean): Promise<string> => {
  const tree = toTree(text, isMdx)
  return tree === undefined
    ? ''
    : printTree(tree)
        .replaceAll(/\s*\n\s*/g, '\n')
        .trim()
}
const mdx = (text: string) => shown(text, true)
const markdown = (text: string) => shown(text, false)
const note = (kind: string, content: string, title?: string) => {
  const word = kind.charAt(0).toUpperCase() + kind.slice(1)
  const label = title === undefined ? word : `<span class="hidden">${word}: </span>${title}`
  return `<div class="note ${kind}" role="note"><p class="note-label">${label}</p>\n${content}\n</div>`
}

it('removes imports, exports, expressions and comments from MDX', async () => {
  expect(
    await mdx(
      "import { A } from './a'\nexport const b = {\n\n  c: 1,\n}\n\nText {props.x}{' '}and {/* no */}more\n<!-- {no} -->\n",
    ),
  ).toBe('<p>Text  and more</p>')
})

it('leaves them in Markdown, where they are prose', async () => {
  expect(await markdown('import me from here\n\nUse {braces}.')).toBe(
    '<p>import me from here</p>\n<p>Use {braces}.</p>',
  )
})

it('keeps the text between tags, without its indentation', async () => {
  const text =
    '<Steps>\n  <Step title="Get it">\n    Run:\n\n    ```sh\n    npm ci\n      indented\n    ```\n  </Step>\n</Steps>\n\nEnd'
  const step =
    '<div class="steps"><div class="step"><p class="step-title">Get it</p><p>Run:</p><pre><code class="language-sh">npm ci\nindented\n</code></pre></div></div>\n<p>End</p>'
  expect(await mdx(text)).toBe(step)
  const tree = toTree(text, true)
  expect(tree && printTree(tree)).toContain('npm ci\n  indented\n')
  // A page that does not parse as MDX is read as Markdown, with nothing lost.
  const loose = await mdx(`import x from './x'\n\n${text}\n\nA {b c}`)
  expect(loose.replaceAll('\n', '')).toBe(`${step}<p>A {b c}</p>`.replaceAll('\n', ''))
})

it('leaves code alone', async () => {
  const code = '<Note>{a}</Note>\nimport x from "y"\n:::note\n<!-- a -->'
  const html = code.replaceAll('<', '&#x3C;')
  for (const show of [mdx, markdown]) {
    expect(await show(`\`\`\`jsx\n${code}\n\`\`\`\n\nInline \`<Note>\` and \`\`a\`<b>\`\` stay.`)).toBe(
      `<pre><code class="language-jsx">${html}\n</code></pre>\n<p>Inline <code>&#x3C;Note></code> and <code>a\`&#x3C;b></code> stay.</p>`,
    )
  }
})

it('makes notes of components and of every admonition', async () => {
  expect(await mdx('<Warning>\n  Do **not**.\n</Warning>')).toBe(
    note('warning', '<p>Do <strong>not</strong>.</p>'),
  )
  expect(await mdx('<Note>Short.</Note>')).toBe(note('note', '<p>Short.</p>'))
  expect(await markdown('<Note>\nSome **text**.\n</Note>')).toContain('<p>Some <strong>text</strong>.</p>')
  for (const title of ['tip[Did you know]', ' tip Did you know', 'tip Did you know{.big}']) {
    expect(await mdx(`:::${title}\nYes.\n:::\nAfter`)).toBe(
      `${note('tip', '<p>Yes.</p>', 'Did you know')}\n<p>After</p>`,
    )
  }
  expect(await markdown('!!! danger "Hot"\n    Burns.\n\n    Still.\n\nAfter')).toBe(
    `${note('caution', '<p>Burns.</p>\n<p>Still.</p>', 'Hot')}\n<p>After</p>`,
  )
  expect(await mdx('1. One\n\n   :::note\n   - Two\n   :::\n\n2. Three')).toMatch(
    /<ol>\n<li>\n<p>One<\/p>\n<div class="note note".*<li>Two<\/li>.*<li>\n<p>Three<\/p>/s,
  )
})

it('shows the title of a note in place of the name of its kind', async () => {
  const titled = note('tip', '<p><strong>Yes</strong>.</p>', 'Use <code>a</code>')
  expect(await mdx(':::tip[Use `a`]\n**Yes**.\n:::')).toBe(titled)
  expect(await markdown('!!! tip "Use `a`"\n    **Yes**.')).toBe(titled)
  expect(await markdown('::: tip Use `a`\n**Yes**.\n:::')).toBe(titled)
  expect(await markdown('> [!TIP] Use `a`\n> **Yes**.')).toBe(titled)
  const plain = note('tip', '<p>Yes.</p>', 'Use it')
  expect(await mdx('<Tip title="Use it">\n  Yes.\n</Tip>')).toBe(plain)
  expect(await mdx('<Aside type="tip" title="Use it">Yes.</Aside>')).toBe(plain)
  expect(await markdown('<Tip title="Use it">\n\nYes.\n\n</Tip>')).toBe(plain)
  // What is bold below is part of the text.
  const bold = note('note', '<p><strong>First</strong>\nsecond</p>')
  for (const end of ['', '  ', '\\'])
    expect(await markdown(`> [!NOTE]${end}\n> **First**\n> second`)).toBe(bold)
  expect(await markdown('> [!NOTE]\n>\n> **First**\n> second')).toBe(bold)
  expect(await markdown('> [!NOTE]')).toBe(note('note', '').replace('\n\n', '\n'))
})

it('shows components of MDC without their marks', async () => {
  const text =
    '::card{to="/x"}\n---\nicon: i-x\ntitle: "Start"\n---\nOne.\n\n  :::note{to="/a"}\n  Two.\n  :::\n\nThree.\n::\n\nAfter'
  const two = note('note', '<p>Two.</p>')
  expect(await markdown(text)).toBe(
    `<div class="card">\n<p><strong>Start</strong></p>\n<p>One.</p>\n${two}\n<p>Three.</p>\n</div>\n<p>After</p>`,
  )
  expect(await markdown('::tip[Own]\nText.\n::\nAfter')).toBe(
    `${note('tip', '<p>Text.</p>', 'Own')}\n<p>After</p>`,
  )
})

it('shows links, images, headings and lists of HTML', async () => {
  expect(await markdown('See <a href="b.md">the <b>page</b></a>.')).toBe(
    '<p>See <a href="b.md">the <b>page</b></a>.</p>',
  )
  for (const show of [mdx, markdown])
    expect(await show('<img src="x" alt="A [cat]" />')).toContain('<span class="image">Image: A [cat]</span>')
  expect(await markdown('<h2 id="x">Head</h2>\n\ntext')).toBe('<h2>Head</h2>\n<p>text</p>')
  expect(await markdown('<ul><li>a</li><li>b</li></ul>')).toBe('<ul><li>a</li><li>b</li></ul>')
  expect(await mdx('<Card title="T" href="/t">\n  Text\n</Card>')).toBe(
    '<div class="card"><p class="card-title"><a href="/t">T</a></p><p>Text</p></div>',
  )
})

it('removes scripts, styles and everything that runs with its content', async () => {
  expect(await markdown('a<script>alert(1)</script>b <style>\n.x {}\n</style> c')).toBe('<p>ab  c</p>')
  const hostile =
    '<a href="javascript:x" onclick="y">l</a> <img src="x" alt="" onerror="z" /> <iframe src="//x">f</iframe> <b id="content">g</b>'
  for (const show of [mdx, markdown])
    expect(await show(hostile)).toBe('<p><a>l</a> <span class="image">Image</span>  <b>g</b></p>')
})

it('keeps nothing that takes the place of what the page around it has', async () => {
  const hostile =
    '<img name="currentScript" src="x.png" accesskey="m" tabindex="9" usemap="#a" data-text="b" /> <a href="#c" name="csrf" accesskey="s" target="_top" ping="//d">e</a> <picture><source srcset="//f/g.png" /><img src="h.png" alt="i" /></picture> <input type="checkbox" name="csrf" value="j" form="k" />'
  for (const isMdx of [true, false]) {
    const tree = toPlacedTree(hostile, isMdx, { images: true })?.tree
    expect(tree && printTree(tree)).toBe(
      '<p><img src="x.png"> <a href="#c">e</a> <img src="h.png" alt="i"> <input type="checkbox" value="j" disabled aria-label="Not done"></p>',
    )
  }
})

it('shows a lone angle bracket and keeps autolinks', async () => {
  expect(await markdown('a < b, <https://example.com> and <me@example.com>')).toBe(
    '<p>a &#x3C; b, <a href="https://example.com">https://example.com</a> and <a>me@example.com</a></p>',
  )
})

it('tells which images are meant for one colour scheme', async () => {
  const images =
    '![](a.png#only-light) ![](b.png#gh-dark-mode-only) <img src="c.png" class="x light:sl-hidden" />'
  const tree = toPlacedTree(images, false, { images: true })?.tree
  expect(tree && printTree(tree)).toBe(
    '<p><img src="a.png#only-light" alt="" class="only-light"> <img src="b.png#gh-dark-mode-only" alt="" class="only-dark"> <img src="c.png" class="only-dark"></p>',
  )
  const jsx = toPlacedTree('<img className="block dark:hidden top" src="a.png" />', true, {
    images: true,
  })?.tree
  expect(jsx && printTree(jsx)).toBe('<p><img class="only-light" src="a.png"></p>')
})

it('removes heading ids', async () => {
  for (const show of [mdx, markdown]) expect(await show('## Title {#own-id}')).toBe('<h2>Title</h2>')
})

it('leaves formulas and words behind a colon as they are written', async () => {
  expect(await mdx('Here $x_{n \\times m}$ and a:b')).toBe('<p>Here $x_{n \\times m}$ and a:b</p>')
})

it('hides what twoslash cuts out of code, where a page asks for twoslash', async () => {
  const code =
    'declare const a: 1\n// ---cut---\nuse(a)\n// ---cut-start---\nlong()\n// ---cut-end---\nend()\n// ---cut-after---\nexport {}'
  expect(await markdown(`\`\`\`ts twoslash\n${code}\n\`\`\``)).toBe(
    '<pre><code class="language-ts">use(a)\nend()\n</code></pre>',
  )
  expect(await markdown(`\`\`\`ts\n${code}\n\`\`\``)).toContain('// ---cut---')
})

it('shows the tags of template languages as components, or not at all', async () => {
  const hugo = `{{% alert title="Mind" color="warning" %}}
Text {{< param version >}}.
{{% /alert %}}

{{< tabpane >}}
{{< tab header="npm" >}}
one
{{< /tab >}}
{{< tab header="pnpm" >}}
two
{{< /tab >}}
{{< /tabpane >}}

See [it]({{< ref "docs/it.md" >}}) and \`{{< code >}}\`.

{{< blocks/cover
  title="x" >}}
{{< comment >}}gone{{< /comment >}}
`
  const html = await markdown(hugo)
  expect(html).toContain('<p class="note-label"><span class="hidden">Warning: </span>Mind</p>\n<p>Text .</p>')
  expect(html).toMatch(/<div class="tab-set switched"><div class="tab-bar">.*npm.*pnpm/s)
  expect(html).toContain('<a href="docs/it.md">it</a> and <code>{{&#x3C; code >}}</code>')
  expect(html).not.toMatch(/gone|cover/)
  const gitbook =
    '{% hint style="danger" %}\nNo.\n{% endhint %}\n\n{% tabs %}\n{% tab title="A" %}\none\n{% endtab %}\n{% endtabs %}'
  expect(await markdown(gitbook)).toContain(note('caution', '<p>No.</p>'))
  expect(await markdown(gitbook)).toContain('tab-set')
  expect(await markdown('```md\n- x\n\n    ```\n\n{{< tab >}}\n```')).toContain('{{&#x3C; tab >}}')
  expect(await markdown('{% if a %}Some {{ mustache }}{% endif %} `{% raw %}`')).toBe(
    '<p>Some {{ mustache }} <code>{% raw %}</code></p>',
  )
})

it('leaves out what only Python Markdown understands', async () => {
  expect(
    await markdown(
      '[Go :octicons-arrow-right-24:](https://a.test){ .md-button }\n\n- :material-check: Yes {.big}\n\nPress ++ctrl+c++, not `++a++ { .b }`\n\n[TOC]\n\n## :material-apple: Mac',
    ),
  ).toBe(
    '<p><a href="https://a.test">Go </a></p>\n<ul>\n<li>Yes</li>\n</ul>\n<p>Press <kbd>Ctrl</kbd>+<kbd>C</kbd>, not <code>++a++ { .b }</code></p>\n<h2>Mac</h2>',
  )
})

it('shows the directives of MyST', async () => {
  const text =
    '````{warning} Mind\n:class: big\n\nSome **text**.\n\n```{code-block} python\n:linenos:\nx = 1\n```\n````\n\n:::{tip}\nYes.\n:::\n\n```{note} Short.\n```\n\n```{r}\nx\n```\n\n```{toctree}\n:hidden:\nhidden/page\n```\n\nSee {doc}`that <a/b>`, {ref}`there <label>` and {py:func}`run`.'
  const html = await markdown(text)
  const warned = '<p>Some <strong>text</strong>.</p>\n<pre><code class="language-python">x = 1\n</code></pre>'
  expect(html).toContain(note('warning', warned, 'Mind'))
  expect(html).toContain(note('tip', '<p>Yes.</p>'))
  expect(html).toContain(note('note', '<p>Short.</p>'))
  expect(html).toContain('<pre><code class="language-{r}">x')
  expect(html).toContain('See <a href="a/b">that</a>, there and <code>run</code>.')
  expect(html).not.toMatch(/:class:|hidden\/page/)
})
