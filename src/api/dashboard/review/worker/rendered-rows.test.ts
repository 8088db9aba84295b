import { expect, it } from 'vitest'
import type { Addresses, BlockRow } from '../review-data.ts'
import { renderedRows } from './rendered-rows.ts'

const nowhere: { before: Addresses; after: Addresses } = { before: {}, after: {} }

async function rowsOf(
  before: string | undefined,
  after: string | undefined,
  images = nowhere,
): Promise<BlockRow[]> {
  const page = (text: string | undefined) => (text === undefined ? undefined : { text, mdx: true })
  const window = { from: 0, count: 100, whole: false }
  const found = await renderedRows({ before: page(before), after: page(after), window }, () =>
    Promise.resolve({ links: nowhere, images }),
  )
  return found?.rows ?? []
}

/** The kinds of rows with the lines of both sides. */
function outline(rows: readonly BlockRow[]): string[] {
  return rows.map((row) => {
    if (row.kind === 'fold') return `fold ${row.blocks}`
    const [old, now] = [row.before, row.after].map((block) => (block ? `${block.line}-${block.end}` : ''))
    return `${row.kind} ${old}|${now}`
  })
}

it('pairs the versions of blocks, folds what stays, and knows the lines of the file', async () => {
  const start = '---\ntitle: Setup\n---\n\n'
  const rest = Array.from({ length: 6 }, (_, n) => `Paragraph ${n} stays.`).join('\n\n')
  const before = `${start}# One\n\nInstall the *server* now.\n\n${rest}\n\n- first\n- second item\n`
  const after = `${start}# One\n\nA new paragraph.\n\nInstall the *proxy* now.\n\n${rest}\n\n- first\n- second thing item\n`
  const rows = await rowsOf(before, after)
  expect(outline(rows)).toEqual([
    'same 2-3|2-3',
    'same 5-5|5-5',
    'added |7-7',
    'changed 7-7|9-9',
    'same 9-9|11-11',
    'fold 5',
    'same 21-21|23-23',
    'changed 22-22|24-24',
  ])
  expect(rows[3]).toMatchObject({
    before: { html: '<p>Install the <em><del>server</del></em> now.</p>' },
    after: { html: '<p>Install the <em><ins>proxy</ins></em> now.</p>' },
  })
})

it('shows the title and description of the front matter, and other settings as they stand there', async () => {
  const rows = await rowsOf(
    '---\ntitle: Old name\ndescription: Text\nsidebar: 1\n---\n',
    '---\ntitle: New name\ndescription: Text\nsidebar: 2\n---\n',
  )
  expect(outline(rows)).toEqual(['changed 2-2|2-2', 'same 3-3|3-3', 'changed 4-5|4-5'])
  expect(rows[0]).toMatchObject({ after: { html: '<div class="heading-1"><ins>New</ins> name</div>' } })
})

it('knows the lines of notes and components, which the parser sees in another form', async () => {
  const page = (word: string): string =>
    `Text\n\n:::warning Watch out\nThis deletes ${word} data.\n:::\n\n<Note>\nBe ${word} here.\n</Note>\n`
  expect(outline(await rowsOf(page('all'), page('some')))).toEqual([
    'same 1-1|1-1',
    'changed 3-5|3-5',
    'changed 7-9|7-9',
  ])
})

it('shows where a link leads when only that has changed, and an image whose file has', async () => {
  const [link] = await rowsOf('See [this](/a).', 'See [this](/b).')
  expect(link).toMatchObject({ after: { html: expect.stringContaining('<ins class="target"> → /b</ins>') } })
  const images = { before: { 'x.png': '/images/1' }, after: { 'x.png': '/images/2' } }
  const [image] = await rowsOf('![X](x.png)', '![X](x.png)', images)
  expect(image).toMatchObject({
    kind: 'changed',
    before: { html: '<p><del><img src="/images/1" alt="X" loading="lazy"></del></p>' },
    after: { html: '<p><ins><img src="/images/2" alt="X" loading="lazy"></ins></p>' },
  })
})

it('shows every tab and every folded part, so that no change hides in one', async () => {
  const tabs = (word: string): string =>
    `<Tabs>\n<Tab title="npm">\n\nFirst\n\n</Tab>\n<Tab title="pnpm">\n\nSecond ${word}\n\n</Tab>\n</Tabs>\n\n<Accordion title="More">\n\nThird ${word}\n\n</Accordion>\n`
  expect(outline(await rowsOf(tabs('same'), tabs('same')))).toEqual(['fold 2'])
  const [first, second] = await rowsOf(tabs('one'), tabs('two'))
  expect(first).toMatchObject({
    after: { html: expect.stringMatching(/npm[^]*First[^]*pnpm[^]*Second <ins>two/), line: 1, end: 12 },
  })
  expect(JSON.stringify(first)).not.toContain('radio')
  expect(second).toMatchObject({ after: { html: expect.stringMatching(/<details[^>]* open/) } })
})

it('folds the rows of a long table that stay', async () => {
  const table = (value: string): string =>
    `| A | B |\n|---|---|\n${Array.from({ length: 30 }, (_, n) => `| ${n} | ${n === 15 ? value : 'same'} |`).join('\n')}\n`
  const [row] = await rowsOf(table('old'), table('new'))
  const html = row?.kind === 'changed' ? row.after.html : ''
  expect(html.match(/<tr>/g)).toHaveLength(6)
  expect(html).toContain('14 unchanged rows')
  expect(html).toContain('<table tabindex="0">')
})

it('shows nothing that runs or hides', async () => {
  const hostile =
    '<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n[js](javascript:alert(1))\n\nzero\u200Bwidth \u202Ertl\n\n<p style="position:fixed" id="content" class="top">x</p>\n\n![far](https://evil.example/x.png)\n'
  const page = { text: hostile, mdx: false }
  const window = { from: 0, count: 100, whole: false }
  const found = await renderedRows({ before: undefined, after: page, window }, () =>
    Promise.resolve({ links: nowhere, images: nowhere }),
  )
  const html = JSON.stringify(found)
  expect(html).not.toMatch(/<script|onerror|href=\\"javascript|style=|id=|<img|class=\\"top/)
  expect(html).toContain('zero⟨U+200B⟩width ⟨U+202E⟩rtl')
  expect(html).toContain('On another site')
})

it('gives up on a page that is nested too deep', async () => {
  const window = { from: 0, count: 100, whole: false }
  const page = { text: `${'>'.repeat(500)} x`, mdx: false }
  expect(
    await renderedRows({ before: undefined, after: page, window }, () =>
      Promise.resolve({ links: nowhere, images: nowhere }),
    ),
  ).toBeUndefined()
})
