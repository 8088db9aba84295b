import { expect, it } from 'vitest'
import type { Addresses, BlockRow } from '../review-data.ts'
import { renderedRows } from './rendered-rows.ts'

const nowhere: { before: Addresses; after: Addresses } = { before: {}, after: {} }

async function rowsOf(
  before: string | undefined,
  after: string | undefined,
  images = nowhere,
  lines: 'unified' | 'split' = 'split',
): Promise<BlockRow[]> {
  const page = (text: string | undefined) => (text === undefined ? undefined : { text, mdx: true })
  const window = { from: 0, count: 100, whole: false }
  const found = await renderedRows({ before: page(before), after: page(after), lines, window }, () =>
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
    kind: 'replaced',
    before: { html: '<p><img src="/images/1" alt="X" loading="lazy"></p>' },
    after: { html: '<p><img src="/images/2" alt="X" loading="lazy"></p>' },
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
  const found = await renderedRows({ before: undefined, after: page, lines: 'split', window }, () =>
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
    await renderedRows({ before: undefined, after: page, lines: 'split', window }, () =>
      Promise.resolve({ links: nowhere, images: nowhere }),
    ),
  ).toBeUndefined()
})

async function mergedHtml(before: string, after: string): Promise<string[]> {
  const rows = await rowsOf(before, after, nowhere, 'unified')
  return rows.map((row) => (row.kind === 'fold' ? 'fold' : `${row.kind} ${row.after?.html ?? ''}`))
}

it('merges two versions of a block into one, with removed words before those that came', async () => {
  expect(
    await mergedHtml(
      'The *quick start* needs **two** steps, [here](/a).',
      'The *first steps* need two steps, [here](/b).',
    ),
  ).toEqual([
    'merged <p>The <em><del>quick start needs</del><ins>first steps</ins></em> <ins>need</ins> two steps, <span class="review-link" title="/b">here<del class="target"> → /a</del><ins class="target"> → /b</ins></span>.</p>',
  ])
  expect(await mergedHtml('Keep the end of this text.', 'Keep the end of this')).toEqual([
    'merged <p>Keep the end of this <del>text.</del></p>',
  ])
})

it('marks only what has changed within a container', async () => {
  const page = (word: string, more = ''): string =>
    `:::warning\n\nFirst paragraph stays.\n\nSecond says ${word}.\n\n${more}- one\n- two\n\n:::\n`
  const [changed = ''] = await mergedHtml(page('all'), page('some'))
  expect(changed).toContain('<p>Second says <del>all</del><ins>some</ins>.</p>')
  expect(changed.match(/<(?:ins|del)>|class="(?:old|new)"/g)).toHaveLength(2)
  const [added = ''] = await mergedHtml(page('all'), page('all', 'A third one.\n\n'))
  expect(added).toContain('<p class="new">A third one.</p>')
  expect(added.match(/<(?:ins|del)>|class="(?:old|new)"/g)).toHaveLength(1)
})

it('marks a row of a table that came, and folds the blocks of a container that stay', async () => {
  const table = (rows: readonly string[]): string => `| A | B |\n|---|---|\n${rows.join('\n')}\n`
  const [row = ''] = await mergedHtml(
    table(['| 1 | a |', '| 2 | b |']),
    table(['| 1 | a |', '| 3 | c |', '| 2 | b |']),
  )
  expect(row.match(/<tr class="new">/g)).toHaveLength(1)
  const long = (word: string): string =>
    `:::note\n\n${Array.from({ length: 12 }, (_, n) => `Paragraph ${n} ${n === 6 ? word : 'stays'}.`).join('\n\n')}\n\n:::\n`
  const [folded = ''] = await mergedHtml(long('old'), long('new'))
  expect(folded).toMatch(/unchanged blocks[^]*Paragraph 5[^]*Paragraph 6[^]*Paragraph 7[^]*unchanged blocks/)
  expect(folded).not.toContain('Paragraph 3')
})

it('marks no words of versions that have little in common', async () => {
  const [row] = await rowsOf('Alpha beta gamma delta.', 'One two three four.', nowhere, 'split')
  expect(row).toMatchObject({ kind: 'replaced', before: { html: '<p>Alpha beta gamma delta.</p>' } })
})
