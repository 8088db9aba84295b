import { expect, it } from 'vitest'
import { siteWithNames } from '../includes/site-with-names.ts'
import { readWholePage, textOfPage } from '../includes/read-whole-page.ts'
import { parsePage } from '../pages/parse-page.ts'

async function markdownOf(files: Record<string, string>, path = 'index.adoc') {
  const read = async (name: string) => files[name]
  const site = await siteWithNames(read, { paths: Object.keys(files), root: '' })
  const whole = await readWholePage(site, path, files[path] ?? '', read)
  return { site, whole, text: textOfPage(whole), page: parsePage(site, path, textOfPage(whole)) }
}

it('reads a page as Markdown with the ids of Asciidoctor', async () => {
  const { text, page } = await markdownOf({
    'index.adoc': `= Kit {version}
Ada Lovelace <ada@example.com>
:version: 2.1

See xref:guide/other.adoc[], xref:guide/other.adoc#part[], <<next>>, \`x * y\`, _soft_, *loud*, and https://example.com[site^].

== What's next? -> Now
[[next]]
=== Next part

NOTE: Mind *this*.

.Install it
[source,bash]
----
npm install <1>
----
<1> From npm

//-
* One
** Two
[#later]
+
Attached.
* Three

//-
Term:: Its text.

|===
|Name |Value

|a
|b \\| c
|===

image::a-shot.png[]
`,
    'guide/other.adoc': '= Other page\n\n[#part]\n== The part\n',
  })
  expect(text).toBe(`# Kit 2.1

See [Other page](/guide/other), [The part](/guide/other#part), [Next part](#next), \`x * y\`, *soft*, **loud**, and [site](https://example.com).

## What's next? -> Now {#_whats_next_now}

### Next part {#next}

> [!NOTE]
> Mind **this**.

**Install it**

\`\`\`bash
npm install (1)
\`\`\`

1. From npm

- One

  - Two

    {#later}

    Attached.
- Three

- **Term**

  Its text.

| Name | Value |
| --- | --- |
| a | b \\| c |

![a shot](./a-shot.png)`)
  expect(page?.sections.flatMap(({ headings, anchor }) => (headings.length > 0 ? [anchor] : []))).toEqual([
    '_whats_next_now',
    'next',
  ])
})

it('reads pages of Antora with partials, attributes, conditions, and other names of pages', async () => {
  const { site, text, whole } = await markdownOf(
    {
      'antora.yml':
        "name: kit\nversion: '2.1'\nnav: [modules/ROOT/nav.adoc]\nasciidoc:\n  attributes:\n    product: Kit\n    soft: site@\n",
      'modules/ROOT/nav.adoc': '.Start\n* xref:index.adoc[Home]\n** xref:api:use.adoc[Use it]\n',
      'modules/ROOT/pages/index.adoc': `= {product}
:product: other
:soft: page
ifdef::env-site[]
On the site {soft}.
endif::[]
ifndef::env-site[]
Elsewhere.
endif::[]

include::partial$x.adoc[tag=part]

[source,js]
----
include::example$a.js[lines=2]
----

xref:api:old.adoc[] xref:other:ROOT:x.adoc[There] xref:api:gone.adoc[]
`,
      'modules/ROOT/partials/x.adoc': 'Not this.\n// tag::part[]\nThis {product}.\n// end::part[]\n',
      'modules/ROOT/examples/a.js': 'one()\ntwo()\n',
      'modules/api/pages/use.adoc': '= Using it\n:page-aliases: old.adoc\n',
    },
    'modules/ROOT/pages/index.adoc',
  )
  expect(text).toBe(`# Kit

On the site page.

This Kit.

\`\`\`js
two()
\`\`\`

[Using it](/kit/2.1/api/use.html) There api:gone.adoc`)
  expect(whole.included).toEqual(['modules/ROOT/partials/x.adoc', 'modules/ROOT/examples/a.js'])
  expect(whole.lines.find((line) => line.text === 'This Kit.')).toEqual({
    text: 'This Kit.',
    path: 'modules/ROOT/partials/x.adoc',
    line: 3,
  })
  expect(site.pageFor('modules/api/pages/use.adoc')).toMatchObject({
    url: '/kit/2.1/api/use.html',
    navTitle: 'Use it',
    inNavigation: true,
  })
  expect(site.placeOf('modules/api/pages/use.adoc')?.groups).toEqual(['Start', 'Home'])
  expect(site.resolveLink('modules/ROOT/pages/index.adoc', 'xref:api:old.adoc')).toMatchObject({
    kind: 'page',
  })
  expect(site.resolveLink('modules/ROOT/pages/index.adoc', 'xref:api:gone.adoc')).toMatchObject({
    kind: 'broken',
  })
  // Another repository may have them.
  for (const elsewhere of ['other:ROOT:x.adoc', 'more:x.adoc'])
    expect(site.resolveLink('modules/ROOT/pages/index.adoc', `xref:${elsewhere}`).kind).toBe('external')
})

it('reads hostile markup within seconds', async () => {
  const pieces = [
    '*a ',
    '`a ',
    '<<a ',
    'a:a[',
    '[[a',
    '((a',
    '{a',
    '* a\n',
    '[a,b]\n',
    'a:: b\n',
    '|===\n|a',
    '====\n',
    '"`a ',
    '[.a]#b ',
    '+\n\n',
  ]
  for (const piece of pieces) {
    const start = performance.now()
    await markdownOf({ 'index.adoc': `= T\n\n${piece.repeat(60_000 / piece.length)}` })
    expect(performance.now() - start, piece).toBeLessThan(8000)
  }
})
