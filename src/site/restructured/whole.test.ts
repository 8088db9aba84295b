import { expect, it } from 'vitest'
import { siteWithNames } from '../includes/site-with-names.ts'
import { readWholePage, textOfPage } from '../includes/read-whole-page.ts'
import { parsePage } from '../pages/parse-page.ts'

async function markdownOf(files: Record<string, string>, path = 'index.rst') {
  const all: Record<string, string> = { 'conf.py': '', ...files }
  const read = async (name: string) => all[name]
  const site = await siteWithNames(read, { paths: Object.keys(all), root: '' })
  const whole = await readWholePage(site, path, all[path] ?? '', read)
  return { site, whole, text: textOfPage(whole), page: parsePage(site, path, textOfPage(whole)) }
}

it('reads a page as Markdown with the ids of docutils', async () => {
  const { text, page } = await markdownOf({
    'index.rst': `.. _start:

Title
=====

See :doc:\`guide/other\`, :ref:\`the-part\`, \`\`x * y\`\`, *soft*, :func:\`~a.b.run\` and \`site <https://example.com/>\`_.

Part
----

.. note:: Mind *this*.

::

   code
`,
    'guide/other.rst': 'Other page\n==========\n\n.. _the-part:\n\nThe part\n--------\n\nText.\n',
  })
  expect(text).toBe(`{#start}

# Title {#title}

See [Other page](/guide/other.html), [The part](/guide/other.html#the-part), \`x * y\`, *soft*, \`run()\` and [site](https://example.com/).

## Part {#part}

> [!NOTE]
> Mind *this*.

\`\`\`
code
\`\`\``)
  expect(page?.sections.map(({ headings, anchor }) => [headings, anchor])).toEqual([
    [[], undefined],
    [['Part'], 'part'],
  ])
})

it('says for each line where it is written, also in included files', async () => {
  const { whole } = await markdownOf({
    'index.rst': 'Title\n=====\n\n.. include:: parts/a.inc\n\nEnd.\n',
    'parts/a.inc': '\nFirst\nsecond.\n',
  })
  expect(
    whole.lines.filter(({ text }) => text !== '').map(({ text, path, line }) => [text, path, line]),
  ).toEqual([
    ['# Title {#title}', 'index.rst', 1],
    ['First', 'parts/a.inc', 2],
    ['second.', 'parts/a.inc', 3],
    ['End.', 'index.rst', 6],
  ])
  expect(whole.included).toEqual(['parts/a.inc'])
})

it('shows nothing as markup that was text', async () => {
  const { page } = await markdownOf({
    'index.rst': 'Title\n=====\n\n# no heading, 2 < 3, [x](y), {a}, a_b, \\*star\\*, <b>\n\n- 1. item\n',
  })
  expect(page?.sections[0]?.text).toBe('# no heading, 2 < 3, [x](y), {a}, a_b, *star*, <b>\n\n- 1. item')
})

it('reads tables as they are drawn', async () => {
  const { text } = await markdownOf({
    'index.rst': `+---+-----+
| A | B   |
+===+=====+
| 1 | x|y |
+---+-----+

=  =====
A  B
=  =====
1  two
   lines
=  =====
`,
  })
  expect(text).toBe(`| A | B |
| --- | --- |
| 1 | x\\|y |

| A | B |
| --- | --- |
| 1 | two lines |`)
})

it('knows what C, C++ and JavaScript declare by the ids of Sphinx, and what the configuration leaves out', async () => {
  const { text } = await markdownOf({
    'conf.py': 'release = "2.1"\nlevel = "beta"\n',
    'index.rst': `x
=

:c:func:\`go()\` :c:member:\`point.x\` :cpp:class:\`a::B\` :cpp:func:\`a::run\` :js:func:\`m.start\`

.. c:function:: const char *go(int a, void (*done)(int))
.. c:type:: void (*done)(int)
.. c:struct:: point

   .. c:var:: int x

.. cpp:class:: template <typename T> a::B
.. cpp:function:: void a::run(int)
.. js:module:: m
.. js:function:: start(name[, options])

.. ifconfig:: release in ('2.1', '2.2') and level != "stable"

   shown

.. ifconfig:: not level == 'beta'

   left out

.. ifconfig:: unknown

   open
`,
  })
  for (const id of ['c.go', 'c.done', 'c.point', 'c.point.x', 'm.start']) expect(text).toContain(`{#${id}}`)
  expect(text).toContain('[`go()`](#c.go) [`point.x`](#c.point.x)')
  expect(text).toContain('[`m.start()`](#m.start)')
  expect(text).toContain('shown')
  expect(text).toContain('open')
  expect(text).not.toContain('left out')
})

it('never leads to an address that runs', async () => {
  const { text } = await markdownOf({
    'index.rst':
      '`a <javascript:alert(1)>`_ b_\n\n.. _b: java\\script:alert(1)\n\n.. raw:: html\n\n   <script>x</script>\n',
  })
  expect(text).not.toMatch(/javascript|<script/)
})

it('reads a page of any nesting and length in bounded time', async () => {
  const deep = Array.from({ length: 600 }, (_, at) => `${' '.repeat(at)}* x\n`).join('\n')
  for (const text of [
    deep,
    '*a '.repeat(20_000),
    '`a '.repeat(20_000),
    '|a '.repeat(20_000),
    '[a]_ '.repeat(20_000),
    'a_'.repeat(20_000),
    `+${'-+'.repeat(2000)}\n`.repeat(300),
  ]) {
    const start = performance.now()
    await markdownOf({ 'index.rst': text })
    expect(performance.now() - start).toBeLessThan(5000)
  }
})
