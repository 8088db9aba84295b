import { describe, expect, it } from 'vitest'
import { writeReview } from '../../lib/prompts/review-prompt.ts'
import { parseRequests } from './parse-request.ts'
import type { Request } from './request.ts'

const everywhere = { kind: 'everywhere' }
const pages = (named: string) => ({ kind: 'pages', named })
const folder = (path: string) => ({ kind: 'folder', path })
const end = { at: 'end' }

type Expected = { kind: Request['kind'] } & Record<string, unknown>

const phrasings: [string, Expected][] = [
  [
    'Replace "Acme" with "Globex" in the quickstart page',
    { kind: 'replace', from: 'Acme', to: 'Globex', exact: true, scope: pages('the quickstart page') },
  ],
  [
    'Replace “Acme” with “Globex” everywhere',
    { kind: 'replace', from: 'Acme', to: 'Globex', scope: everywhere },
  ],
  [
    "replace 'Acme' by 'Globex' in guides/",
    { kind: 'replace', from: 'Acme', to: 'Globex', scope: folder('guides') },
  ],
  [
    'REPLACE `npm i` WITH `pnpm add` IN GUIDES/INSTALL.MD',
    { kind: 'replace', from: 'npm i', to: 'pnpm add', scope: pages('GUIDES/INSTALL.MD') },
  ],
  [
    'Change all occurrences of Acme to Globex',
    { kind: 'replace', from: 'Acme', to: 'Globex', exact: false, scope: everywhere },
  ],
  [
    'Rename the product Acme to Globex everywhere',
    { kind: 'replace', from: 'Acme', to: 'Globex', exact: false },
  ],
  [
    'Please replace Acme Cloud with Globex Cloud throughout the docs, ignoring case',
    { kind: 'replace', from: 'Acme Cloud', to: 'Globex Cloud', ignoreCase: true, scope: everywhere },
  ],
  [
    'Could you swap "foo" for "bar" in guides/install.md?',
    { kind: 'replace', from: 'foo', to: 'bar', scope: pages('guides/install.md') },
  ],
  [
    'In the quickstart page, replace "a" with "b"',
    { kind: 'replace', from: 'a', to: 'b', scope: pages('the quickstart page') },
  ],
  [
    'Replace "Acme" with "Globex" on the page "Quick start" but not in code',
    { kind: 'replace', code: false },
  ],
  [
    'Replace Acme with Globex, including code blocks',
    { kind: 'replace', from: 'Acme', to: 'Globex', code: true },
  ],
  ['Replace "a, \\"b\\"" with "c"', { kind: 'replace', from: 'a, "b"' }],
  [
    'Change the link /old to /new everywhere',
    { kind: 'relink', from: '/old', to: '/new', scope: everywhere },
  ],
  [
    'Update all links from "https://old.dev" to "https://new.dev"',
    { kind: 'relink', from: 'https://old.dev', to: 'https://new.dev' },
  ],
  ['Fix the typos in guides/', { kind: 'typos', scope: folder('guides') }],
  ['Correct spelling mistakes everywhere', { kind: 'typos', scope: everywhere }],
  ['Fix broken links', { kind: 'links', only: undefined, scope: everywhere }],
  ['Fix broken links in guides/', { kind: 'links', scope: folder('guides') }],
  ['Fix the broken links in the guides folder', { kind: 'links', scope: folder('guides') }],
  ['Repair all dead links in the install page', { kind: 'links', scope: pages('the install page') }],
  ['fix broken internal links across the docs', { kind: 'links', scope: everywhere }],
  ['Fix the broken anchors everywhere', { kind: 'links', only: 'anchor' }],
  ['Fix broken images in the quickstart', { kind: 'links', only: 'image', scope: pages('the quickstart') }],
  [
    'Move guides/install.md to start/install.md',
    { kind: 'move', page: 'guides/install.md', to: 'start/install.md' },
  ],
  ['Move the page "Setup" to guides/', { kind: 'move', page: '"Setup"', to: 'guides/' }],
  ['Move the quickstart page into the start folder', { kind: 'move', page: 'quickstart page', to: 'start/' }],
  [
    'rename `guides/install.md` to `guides/setup.md`',
    { kind: 'move', page: '`guides/install.md`', to: 'guides/setup.md' },
  ],
  [
    'Rename the page "Setup" to "Installation"',
    { kind: 'rename', page: '"Setup"', title: 'Installation', file: false },
  ],
  [
    'Rename the setup page to Installation and its file',
    { kind: 'rename', page: 'setup', title: 'Installation', file: true },
  ],
  ['Retitle the quickstart to "Get going"', { kind: 'rename', page: 'the quickstart', title: 'Get going' }],
  [
    'Change the title of the quickstart page to "Get started"',
    { kind: 'rename', page: 'the quickstart page', title: 'Get started' },
  ],
  ["Set the quickstart page's title to Get started", { kind: 'rename', title: 'Get started' }],
  ['Delete the page "Old API"', { kind: 'delete', page: '"Old API"' }],
  ['Remove guides/old.md', { kind: 'delete', page: 'guides/old.md' }],
  ['Delete the old api page, please.', { kind: 'delete', page: 'old api' }],
  [
    'Add a page "Troubleshooting" to the group "Guides" with: Restart the server.',
    { kind: 'add page', title: 'Troubleshooting', group: 'Guides', content: 'Restart the server.' },
  ],
  [
    'Create a new page called Troubleshooting in guides/ with the text "Restart."',
    { kind: 'add page', title: 'Troubleshooting', folder: 'guides/', content: 'Restart.' },
  ],
  [
    'Add a page guides/faq.md titled "FAQ" with: hello',
    { kind: 'add page', title: 'FAQ', path: 'guides/faq.md', content: 'hello' },
  ],
  [
    'Add a "FAQ" page after the quickstart page: hello',
    { kind: 'add page', title: 'FAQ', after: 'the quickstart page', content: 'hello' },
  ],
  [
    'Add a note to the quickstart page: "Needs Node 20."',
    {
      kind: 'add note',
      admonition: 'note',
      page: 'the quickstart page',
      place: end,
      content: 'Needs Node 20.',
    },
  ],
  [
    'Add the note "Needs Node" to the quickstart page',
    { kind: 'add note', page: 'the quickstart page', content: 'Needs Node' },
  ],
  [
    'Add a warning to guides/install.md: Back up first.',
    { kind: 'add note', admonition: 'warning', page: 'guides/install.md', content: 'Back up first.' },
  ],
  [
    'Add a tip at the top of the quickstart page saying "Use the CLI"',
    { kind: 'add note', admonition: 'tip', place: { at: 'start' }, content: 'Use the CLI' },
  ],
  [
    'Add a note under the heading "Install" in the quickstart page: "x"',
    { kind: 'add note', page: 'the quickstart page', place: { at: 'under', heading: 'Install' } },
  ],
  ['On the quickstart page, add a note: "x"', { kind: 'add note', page: 'quickstart page', content: 'x' }],
  [
    'Insert a paragraph before the "Next steps" heading of guides/install.md: "Hello."',
    { kind: 'add paragraph', page: 'guides/install.md', place: { at: 'before', heading: 'Next steps' } },
  ],
  [
    'Append a paragraph to the quickstart page: "Bye."',
    { kind: 'add paragraph', page: 'the quickstart page', place: end, content: 'Bye.' },
  ],
  [
    'Add a section "FAQ" to the quickstart page: "Text"',
    { kind: 'add section', page: 'the quickstart page', heading: 'FAQ', content: 'Text' },
  ],
  [
    'Add a section called Limits to guides/install.md with the text "At most ten."',
    { kind: 'add section', heading: 'Limits', content: 'At most ten.' },
  ],
  [
    'Add a "Limits" section to the quickstart page: Ten.',
    { kind: 'add section', heading: 'Limits', content: 'Ten.' },
  ],
  [
    'Change the description of guides/install.md to "How to install"',
    { kind: 'describe', page: 'guides/install.md', description: 'How to install' },
  ],
  ['Add missing descriptions', { kind: 'add missing', field: 'description', scope: everywhere }],
  ['Add missing titles in guides/', { kind: 'add missing', field: 'title', scope: folder('guides') }],
  [
    'Use "GitHub" instead of "Github", "git hub"',
    { kind: 'terms', rules: [{ term: 'GitHub', variants: ['Github', 'git hub'] }], scope: everywhere },
  ],
  [
    'Use "GitHub" instead of Github and git hub in guides/',
    { kind: 'terms', rules: [{ term: 'GitHub', variants: ['Github', 'git hub'] }], scope: folder('guides') },
  ],
  ['Apply the glossary', { kind: 'terms', rules: [], file: undefined }],
  [
    'Normalise terms using glossary.yml in guides/',
    { kind: 'terms', rules: [], file: 'glossary.yml', scope: folder('guides') },
  ],
  [
    'Change the port from 4000 to 8080',
    { kind: 'replace', from: '4000', to: '8080', near: 'port', code: true, links: true },
  ],
  [
    'Replace http:// with https:// in all links',
    { kind: 'relink', from: 'http://', to: 'https://', scope: everywhere },
  ],
  ['Add a page about rate limits', { kind: 'add page', title: 'Rate limits', content: '' }],
  ['What can you do?', { kind: 'help' }],
  ['Update the SDK to 1.50', { kind: 'version', product: 'SDK', from: undefined, to: '1.50' }],
  ['please bump Node.js to 24 in guides/', { kind: 'version', product: 'Node.js', scope: folder('guides') }],
  ['Upgrade pydantic from v2.7 to v2.12', { kind: 'version', product: 'pydantic', from: '2.7', to: '2.12' }],
  [
    'Update the minimum Node version from 18 to 20',
    { kind: 'version', product: 'Node', from: '18', to: '20', minimum: true },
  ],
  ['Set the timeout from 30 seconds to 60 seconds', { kind: 'replace', from: '30 seconds', near: 'timeout' }],
  ['Change the timeout from 30 to 60 seconds', { kind: 'replace', from: '30 seconds', to: '60 seconds' }],
  ['Rename the endpoint /users/ to /members/', { kind: 'replace', from: '/users/', code: true }],
  ['rename the command `a b` to `a c`', { kind: 'replace', from: 'a b', code: true }],
  ['Find and fix broken anchors', { kind: 'links', only: 'anchor' }],
  ['fill in missing front matter descriptions in guides/', { kind: 'add missing', field: 'description' }],
  [
    'Add a note to the setup page that Node 18 is gone',
    { kind: 'add note', page: 'the setup page', content: 'Node 18 is gone.' },
  ],
  ['Add a tip about caching to the setup page', { kind: 'add note', page: 'the setup page', content: '' }],
  ['create a new page on offline mirrors please', { kind: 'add page', title: 'Offline mirrors' }],
  ['Check and fix broken links', { kind: 'links' }],
  ['Replace "a" with "b" in the setup page only', { kind: 'replace', scope: pages('the setup page') }],
  ['pls replace Acme with Globex', { kind: 'replace', from: 'Acme' }],
  [
    'Under the heading "Install" of the setup page add a warning: Wait.',
    {
      kind: 'add note',
      page: 'the setup page',
      place: { at: 'under', heading: 'Install' },
      content: 'Wait.',
    },
  ],
  [
    'Add a note that the limit is 5 per month to the pricing page',
    { kind: 'add note', page: 'the pricing page', content: 'The limit is 5 per month.' },
  ],
  [
    'Add a warning to the setup page saying that it takes long',
    { kind: 'add note', page: 'the setup page', content: 'It takes long.' },
  ],
  [
    'Add a page called FAQ with the text "Ask us." under Guides, please',
    { kind: 'add page', title: 'FAQ', content: 'Ask us.', group: 'Guides' },
  ],
  [
    'Add a note saying "Wait." to the setup page',
    { kind: 'add note', page: 'the setup page', content: 'Wait.' },
  ],
  ['Add a page called FAQ with the text "Ask us." unless there is one', { kind: 'unknown' }],
  ['Replace "a" with "b" in the setup page, or "c" with "d" in it', { kind: 'unknown' }],
  ['Change "a" to "b" there', { kind: 'unknown' }],
  ['Replace all tabs with spaces', { kind: 'unknown' }],
  ['Replace "Acme" with "Globex" everywhere except the quickstart page', { kind: 'unknown' }],
  ['Replace Acme with Globex for consistency', { kind: 'unknown' }],
  ['Delete the page "Setup" if nothing links to it', { kind: 'unknown' }],
  ['Delete the page "Setup" and redirect it to "Install"', { kind: 'unknown' }],
  ["Don't replace Acme with Globex", { kind: 'unknown' }],
  ['Use "a" instead of "b" in links', { kind: 'unknown' }],
  ['Rename the setup page to "Installation" and move it to guides/', { kind: 'unknown' }],
  ['Change "a" to "b" in the titles of all pages', { kind: 'unknown' }],
  ['Change 4000 to 8080', { kind: 'unknown' }],
  ['Should we rename the setup page to Installation?', { kind: 'unknown' }],
  ['How do I delete a page?', { kind: 'unknown' }],
  ['Change the default branch from master to main', { kind: 'unknown' }],
  ['Replace the intro with a better one', { kind: 'unknown' }],
  ['Turn lists into tables', { kind: 'unknown' }],
  ['Change headings to title case', { kind: 'unknown' }],
  ['Replace "users" with "members" in headings', { kind: 'unknown' }],
  ['Fix the links to work', { kind: 'unknown' }],
  ['Delete "some text"', { kind: 'unknown' }],
  ['Write me a poem', { kind: 'unknown' }],
  ['Make the quickstart friendlier', { kind: 'unknown' }],
  ['Replace the screenshots with new ones', { kind: 'unknown' }],
  ['Update the docs for version 2', { kind: 'unknown' }],
  ['The page should be shorter', { kind: 'unknown' }],
]

describe('a request as people say it', () => {
  it.each(phrasings)('understands: %s', (prompt, expected) => {
    const requests = parseRequests(prompt)
    expect(requests).toHaveLength(1)
    expect(requests[0]).toMatchObject(expected)
  })
})

describe('several requests in one prompt', () => {
  const kinds = (prompt: string) => parseRequests(prompt).map((request) => request.kind)

  it.each([
    ['Replace "Acme" with "Globex" everywhere and then fix broken links in guides/', ['replace', 'links']],
    ['Move a.md to b.md, and fix broken links', ['move', 'links']],
    ['Delete the page "Old API". Also fix the typos.', ['delete', 'typos']],
    [
      'Hi!\nPlease do the following:\n1. Replace "a" with "b"\n2. Fix broken links in guides/\n- Add a note to x: hi\n- Delete old.md',
      ['replace', 'links', 'add note', 'delete'],
    ],
    [
      'Add a note to the setup page: "Then replace it and fix it" and then fix broken links',
      ['add note', 'links'],
    ],
    ['Fix broken links\nWrite me a poem', ['links', 'unknown']],
  ])('keeps them apart: %s', (prompt, expected) => {
    expect(kinds(prompt)).toEqual(expected)
  })

  it('ignores what reads like requests inside a given text', () => {
    const text = '# Troubleshooting\n\nRestart the server.\n\n- Fix it\n- Move it\n\nDelete the cache.'
    const [request, ...others] = parseRequests(`Add a page "T" to the group "G" with:\n\n${text}`)
    expect(others).toEqual([])
    expect(request).toMatchObject({ kind: 'add page', content: text })
  })

  it('uses the text below a list item as its text and continues with the next item', () => {
    const requests = parseRequests(
      '- Add a page "T" to the group "G" with:\n  First line\n\n  Second line\n- Fix broken links',
    )
    expect(requests).toMatchObject([{ content: 'First line\n\nSecond line' }, { kind: 'links' }])
  })

  it('continues an unquoted text over paragraphs until the next request', () => {
    const requests = parseRequests('Add a note to the setup page: One.\n\nTwo.\n\nFix broken links')
    expect(requests).toMatchObject([{ content: 'One.\n\nTwo.' }, { kind: 'links' }])
  })

  it('unwraps a Markdown fence and keeps other code as code', () => {
    const add = 'Add a section "FAQ" to the quickstart page:'
    expect(parseRequests(`${add}\n\`\`\`md\nHello **x**\n\`\`\``)).toMatchObject([{ content: 'Hello **x**' }])
    expect(parseRequests(`${add}\n\`\`\`bash\nls\n\`\`\``)).toMatchObject([{ content: '```bash\nls\n```' }])
  })
})

describe('hostile prompts', () => {
  it.each([
    ['spaces', `Replace ${' '.repeat(50_000)} with`],
    ['quotes', '"'.repeat(50_000)],
    ['verbs', 'fix and fix, '.repeat(5000)],
    ['words', `replace ${'with to in on from '.repeat(5000)}`],
    ['a head just below the limit', `change ${'to in of the all page '.repeat(65)}`],
    ['commas', `use a instead of ${'b, '.repeat(400)}`],
    ['lines', 'add a note to x:\n'.repeat(5000)],
    ['brackets', '- ['.repeat(20_000)],
  ])(
    'are read in bounded time: %s',
    (_, prompt) => {
      expect(parseRequests(prompt).length).toBeLessThanOrEqual(50)
    },
    10_000,
  )
})

it('takes comments on lines for requests about their pages', () => {
  const remark = { side: 'new', line: 3, endLine: 3, quote: 'Replace "x" with "y"' } as const
  const prompt = writeReview({
    remarks: [
      { ...remark, path: 'guides/a.mdx', body: 'Replace "A" with "B".' },
      { ...remark, path: 'b.md', body: 'Replace "C" with "D" everywhere' },
      { ...remark, path: 'c.md', body: 'This is too vague' },
      { ...remark, path: 'd.md', body: 'Delete this page' },
    ],
    remark: 'Fix broken links in guides/',
  })
  expect(parseRequests(prompt)).toMatchObject([
    { kind: 'replace', from: 'A', scope: { kind: 'pages', named: 'guides/a.mdx' } },
    { kind: 'replace', from: 'C', scope: { kind: 'everywhere' } },
    { kind: 'unknown', text: 'c.md: This is too vague' },
    { kind: 'delete', page: 'd.md' },
    { kind: 'links', scope: { kind: 'folder', path: 'guides' } },
  ])
})
