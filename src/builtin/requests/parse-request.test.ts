import { describe, expect, it } from 'vitest'
import { writeReview } from '../../lib/prompts/review-prompt.ts'
import { parseRequests } from './parse-request.ts'
import type { Request } from './request.ts'
import { suggestRequests } from './suggest.ts'

const everywhere = { kind: 'everywhere' }
const page = (named: string) => ({ kind: 'page', named })
const folder = (path: string) => ({ kind: 'folder', path })
const end = { at: 'end' }

type Expected = { kind: Request['kind'] } & Record<string, unknown>

const phrasings: [string, Expected][] = [
  [
    'Replace "Acme" with "Globex" in the quickstart page',
    { kind: 'replace', from: 'Acme', to: 'Globex', exact: true, scope: page('quickstart') },
  ],
  ['Replace “Acme” with “Globex” everywhere', { kind: 'replace', from: 'Acme', scope: everywhere }],
  [
    "replace 'Acme' with 'Globex' in guides/",
    { kind: 'replace', from: 'Acme', to: 'Globex', scope: folder('guides') },
  ],
  [
    'REPLACE `npm i` WITH `pnpm add` IN GUIDES/INSTALL.MD',
    { kind: 'replace', from: 'npm i', to: 'pnpm add', code: true, scope: page('GUIDES/INSTALL.MD') },
  ],
  ['Replace Acme with Globex', { kind: 'replace', from: 'Acme', exact: false, scope: everywhere }],
  ['Please replace "a" with "b".', { kind: 'replace', from: 'a', to: 'b' }],
  [
    'In the page "a b.md", replace "Run it" with "Run this"',
    { kind: 'replace', from: 'Run it', to: 'Run this', scope: page('a b.md') },
  ],
  ['Replace Acme with Globex, ignoring case', { kind: 'replace', ignoreCase: true, to: 'Globex' }],
  [
    'Replace "Acme" with "Globex" on the page "Quick start" but not in code',
    { kind: 'replace', code: false, scope: page('Quick start') },
  ],
  ['Replace Acme with Globex, including code blocks', { kind: 'replace', from: 'Acme', code: true }],
  ['Replace "a" with "b" in guides/, also in links', { kind: 'replace', links: true }],
  ['Replace "a, \\"b\\"" with "c"', { kind: 'replace', from: 'a, "b"' }],
  ['Replace "/old" with "/new" in all links', { kind: 'relink', from: '/old', to: '/new' }],
  [
    'Replace http:// with https:// in all links',
    { kind: 'relink', from: 'http://', to: 'https://', scope: everywhere },
  ],
  [
    'Change the port from 4000 to 8080',
    { kind: 'replace', from: '4000', to: '8080', near: 'port', code: true, links: true },
  ],
  [
    'Change the timeout from 30 seconds to 60 seconds',
    { kind: 'replace', from: '30 seconds', near: 'timeout' },
  ],
  [
    'Change the default timeout from 30 to 60 seconds in guides/',
    { kind: 'replace', from: '30 seconds', to: '60 seconds', near: 'timeout', scope: folder('guides') },
  ],
  [
    'Use "GitHub" instead of "Github", "git hub"',
    { kind: 'terms', rules: [{ term: 'GitHub', variants: ['Github', 'git hub'] }], scope: everywhere },
  ],
  ['Apply the glossary', { kind: 'terms', rules: [], file: undefined }],
  [
    'Normalise terms using glossary.yml in guides/',
    { kind: 'terms', rules: [], file: 'glossary.yml', scope: folder('guides') },
  ],
  ['Update the SDK to 1.50', { kind: 'version', product: 'SDK', from: undefined, to: '1.50' }],
  ['please bump Node.js to 24 in guides/', { kind: 'version', product: 'Node.js', scope: folder('guides') }],
  ['Update pydantic from v2.7 to v2.12', { kind: 'version', product: 'pydantic', from: '2.7', to: '2.12' }],
  [
    'Update the minimum Node version from 18 to 20',
    { kind: 'version', product: 'Node', from: '18', to: '20', minimum: true },
  ],
  ['Fix the typos in guides/', { kind: 'typos', scope: folder('guides') }],
  ['Fix broken links', { kind: 'links', only: undefined, scope: everywhere }],
  ['fix all broken links in the install page', { kind: 'links', scope: page('install') }],
  ['Fix the broken anchors everywhere', { kind: 'links', only: 'anchor' }],
  ['Fix broken images in "Quick start"', { kind: 'links', only: 'image', scope: page('Quick start') }],
  ['Add missing descriptions', { kind: 'add missing', field: 'description', scope: everywhere }],
  ['Add missing titles in guides/', { kind: 'add missing', field: 'title', scope: folder('guides') }],
  [
    'Move guides/install.md to start/install.md',
    { kind: 'move', page: 'guides/install.md', to: 'start/install.md' },
  ],
  ['Move the page "Setup" to guides/', { kind: 'move', page: 'Setup', to: 'guides/' }],
  [
    'Rename the page "Setup" to "Installation"',
    { kind: 'rename', page: 'Setup', title: 'Installation', file: false },
  ],
  [
    'Rename the setup page to Installation and its file',
    { kind: 'rename', page: 'setup', title: 'Installation', file: true },
  ],
  [
    'Change the title of the quickstart page to "Get started"',
    { kind: 'rename', page: 'quickstart', title: 'Get started' },
  ],
  [
    'Set the description of guides/install.md to "How to install"',
    { kind: 'describe', page: 'guides/install.md', description: 'How to install' },
  ],
  ['Delete the page "Old API"', { kind: 'delete', page: 'Old API' }],
  ['Remove guides/old.md', { kind: 'delete', page: 'guides/old.md' }],
  ['Delete the old api page, please.', { kind: 'delete', page: 'old api' }],
  [
    'Add a page "Troubleshooting" to the group "Guides" with: Restart the server.',
    { kind: 'add page', title: 'Troubleshooting', group: 'Guides', content: 'Restart the server.' },
  ],
  [
    'Add a page Troubleshooting in guides/ with the text "Restart."',
    { kind: 'add page', title: 'Troubleshooting', folder: 'guides/', content: 'Restart.' },
  ],
  [
    'Add a page guides/faq.md titled "FAQ" with: hello',
    { kind: 'add page', title: 'FAQ', path: 'guides/faq.md', content: 'hello' },
  ],
  [
    'Add a page "FAQ" after the quickstart page: hello',
    { kind: 'add page', title: 'FAQ', after: 'quickstart', content: 'hello' },
  ],
  ['Add a page about rate limits', { kind: 'add page', title: 'Rate limits', content: '' }],
  [
    'Add a note to the quickstart page: "Needs Node 20."',
    { kind: 'add note', admonition: 'note', page: 'quickstart', place: end, content: 'Needs Node 20.' },
  ],
  [
    'Add a warning to guides/install.md: Back up first.',
    { kind: 'add note', admonition: 'warning', page: 'guides/install.md', content: 'Back up first.' },
  ],
  [
    'Add a tip at the top of the quickstart page: "Use the CLI"',
    { kind: 'add note', admonition: 'tip', place: { at: 'start' }, content: 'Use the CLI' },
  ],
  [
    'Add a note under the heading "Install" of the quickstart page: "x"',
    { kind: 'add note', page: 'quickstart', place: { at: 'under', heading: 'Install' } },
  ],
  [
    'Add a paragraph before the heading "Next steps" of guides/install.md: "Hello."',
    { kind: 'add paragraph', page: 'guides/install.md', place: { at: 'before', heading: 'Next steps' } },
  ],
  [
    'Add a section "FAQ" to the quickstart page: "Text"',
    { kind: 'add section', page: 'quickstart', heading: 'FAQ', content: 'Text' },
  ],
  ['What can you do?', { kind: 'help' }],
]

/** What people write who have not read the documentation: it is done, or the job asks, or says what it knows. */
const strangers: [string, string[]][] = [
  ['replace all mentions of Acme with Globex', ['Replace "Acme" with "Globex"']],
  [
    'could you please fix the broken links in the guides?',
    ['Fix broken links in guides/', 'Fix broken links in the page "guides"'],
  ],
  [
    'change Node 18 to Node 20 in the install page',
    ['Replace "Node 18" with "Node 20" in the page "install"'],
  ],
  ['rename the Quickstart page to Getting Started', ['Rename the page "Quickstart" to "Getting Started"']],
  ['rename config.yml to settings.yml', ['Replace "config.yml" with "settings.yml"']],
  ['rename a.md to b.md', ['Move a.md to b.md', 'Replace "a.md" with "b.md"']],
  ['create a page for the new CLI', ['Add a page about new CLI']],
  ['replace http with https', ['Replace "http" with "https"']],
  ['fix the links and the typos', ['Fix broken links', 'Fix the typos']],
  ['fix spelling in README.md', ['Fix the typos in README.md']],
  ['add descriptions to all pages', ['Add missing descriptions']],
  ['every page needs a title', ['Add missing titles']],
  ['swap foo for bar in guides/', ['Replace "foo" with "bar" in guides/']],
  ['In guides/a.md change "sudo apt" to "apt"', ['Replace "sudo apt" with "apt" in guides/a.md']],
  [
    'rename getUser to fetchUser',
    ['Replace "getUser" with "fetchUser"', 'Rename the page "getUser" to "fetchUser"'],
  ],
  ['delete everything about v1 and add a page "v2"', ['Add a page "v2"']],
  [
    'We are going to update uv to 0.13.0 and fix broken links, thanks!',
    ['Update uv to 0.13.0 and fix broken links', 'Update uv to 0.13.0', 'Fix broken links'],
  ],
  ['bump the version to 2.0', []],
  ['move the FAQ to the help section', []],
  ['remove all references to the old API', []],
  ['add a troubleshooting section to the install page', []],
  ['The port is now 8080 not 3000', []],
  ['don\'t use the word "simply"', []],
  ['remove "beta" from the docs', []],
  ['Don\'t replace "Acme" with "Globex"', []],
  ['Replace "Acme" with "Globex" unless it is in a heading', []],
  ['Replace "Acme" with "Globex" everywhere except the quickstart page', []],
  ['Add a note to install.md: see the FAQ. Then delete old.md', []],
  ['Never do this:\n- Delete guides/old.md\n- Fix the typos', []],
  ['Replace all tabs with spaces', ['Replace "tabs" with "spaces"']],
  ['Replace Acme with Globex for consistency', ['Replace "Acme" with "Globex"']],
  ['Delete the page "Setup" if nothing links to it', []],
  ['Delete the page "Setup" and redirect it to "Install"', []],
  ['Delete "some text"', []],
  ['Delete the page about setup', []],
  ['Rename the setup page to "Installation" and move it to guides/', []],
  ['Change 4000 to 8080', ['Replace "4000" with "8080"']],
  ['Change the version from 1 to 2', []],
  ['Change the default branch from master to main', []],
  ['Update the port to 8080', []],
  ['Update the docs for version 2', []],
  ['Use "a" instead of "b" in links', ['Replace "b" with "a" in all links']],
  ['Update Node.js to 24, ignoring case', []],
  ['How do I delete a page?', []],
  ['Make the quickstart friendlier', []],
  ['Write me a poem', []],
]

it.each(strangers)('does not guess what is meant, and suggests it: %s', (prompt, suggestions) => {
  expect(parseRequests(prompt)).toMatchObject([{ kind: 'unknown' }])
  expect(suggestRequests(prompt)).toEqual(suggestions)
})

describe('a request', () => {
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
      'Please do the following:\n1. Replace "a" with "b"\n2. Fix broken links in guides/\n- Add a note to x.md: hi\n- Delete old.md',
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
    { kind: 'replace', from: 'A', scope: { kind: 'page', named: 'guides/a.mdx' } },
    { kind: 'replace', from: 'C', scope: { kind: 'everywhere' } },
    { kind: 'unknown', text: 'c.md: This is too vague' },
    { kind: 'delete', page: 'd.md' },
    { kind: 'links', scope: { kind: 'folder', path: 'guides' } },
  ])
})
