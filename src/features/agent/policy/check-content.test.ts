import { describe, expect, it } from 'vitest'
import type { BaseSite } from './base-site.ts'
import { checkContent } from './check-content.ts'
import type { PageDialect } from '../../../site/pages/dialect.ts'

const mdx: PageDialect = { mdx: true, python: false, vue: false, templates: 'none' }
const plain: PageDialect = { mdx: false, python: true, vue: false, templates: 'whole' }

/** A base of pages, of which `a.mdx` or `a.md` is changed. */
function judge(
  before: string,
  after: string,
  { dialect = mdx, others = {} }: { dialect?: PageDialect; others?: Record<string, string> } = {},
) {
  const path = dialect.mdx ? 'a.mdx' : 'a.md'
  const site: BaseSite = {
    paths: [path, ...Object.keys(others)],
    pages: 2,
    readingOf: () => ({ dialect, ships: () => false, findFile: () => undefined }),
    read: async (name) => Buffer.from(others[name] ?? ''),
  }
  return checkContent([{ path, before: Buffer.from(before), after: Buffer.from(after) }], site)
}

describe('what a diff adds', () => {
  it('is judged, not what was there: it may stay, move and come again', async () => {
    const frame = '<iframe src="https://video.host.net/1" onLoad={start()} />'
    const before = `import { X } from "pkg"\n\n${frame}\n\n{props.items.map((item) => item)}\n`
    expect(await judge(before, `${before}\nMore.\n\n${frame}\n`)).toEqual([])
    expect(await judge(before, before.split('\n\n').toReversed().join('\n\n'))).toEqual([])
    expect(await judge('', before, { others: { 'b.mdx': before } })).toEqual([])
    expect(await judge('', before)).toMatchObject([
      { line: 1, message: expect.stringContaining('import of pkg') },
      { line: 3, message: expect.stringContaining('<iframe>') },
      { line: 3, message: expect.stringContaining('onLoad') },
      { line: 3, message: expect.stringContaining('{start()}') },
      { line: 5, message: expect.stringContaining('props.items') },
    ])
  })

  it('is not the front matter that no reader agrees on, where only a plain line is put to it', async () => {
    const before = '---\ntitle: {#if ...}\n---\n\nText.\n'
    const withTag = before.replace('...}', '...}\ntags: template-if')
    expect(await judge(before, withTag, { dialect: plain })).toEqual([])
    for (const line of ['layout: evil', 'tags: {#x', 'onload: evil', ' tags: x'])
      expect(await judge(before, before.replace('...}', `...}\n${line}`), { dialect: plain })).toHaveLength(1)
  })

  it('is not the code in a block whose language a colon ends', async () => {
    const before = '```shell:\nuv add "book>=2"\n```\n'
    expect(await judge(before, before.replace('>=2', ''))).toEqual([])
  })

  it('is not excused by what other pages only show', async () => {
    const others = { 'b.mdx': '```html\n<script src="/x.js"></script>\n```\n\n`{process.cwd()}`\n' }
    expect(await judge('', '<script src="/x.js"></script>\n\n{process.cwd()}\n', { others })).toHaveLength(2)
  })

  it('tells a secret by its kind and line alone', async () => {
    const secret = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_')
    const found = await judge('', `a\nb ${secret}\n`)
    expect(found).toMatchObject([
      { code: 'secret', line: 2, message: expect.stringContaining('GitHub token') },
    ])
    expect(JSON.stringify(found)).not.toContain('16C7')
    expect(await judge(`b ${secret}`, `a\nb ${secret}`)).toEqual([])
  })

  it.each([
    'AKIAIOSFODNN7EXAMPLE',
    'sk-...',
    'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'password: "<your-password-of-the-database>"',
    'token = "${GITHUB_TOKEN_OF_THE_WORKFLOW}"',
    'api_key: "process.env.ACME_API_KEY_2024"',
    '-----BEGIN PRIVATE KEY-----',
    'secret: "projects/my-project/secrets/api-key/versions/1"',
    'postgres://user:password@localhost/db',
    'nextPageToken: "CAESBwoFCgNhYmMaBQoDZGVm…"',
  ])('may show a placeholder: %s', async (text) => {
    expect(await judge('', `${text}\n`, { dialect: plain })).toEqual([])
  })
})
