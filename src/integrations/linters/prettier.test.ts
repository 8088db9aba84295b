import { expect, it } from 'vitest'
import { treeOf } from '../../../tests/worlds/fake-program.ts'
import { createLint } from './create-lint.ts'

const lint = createLint({ has: () => Promise.resolve(false), run: () => Promise.resolve(undefined) })

const page = '# Title\n\n- one\n- two\n\n| a   | b   |\n| --- | --- |\n| 1   | 2   |\n'
const changed = page.replace('- two', '* two').replace('| 1   | 2   |', '| 1   | 2 and more |')

async function linesOf(files: Readonly<Record<string, string>>, path = 'docs/a.md', text = changed) {
  const found = await lint({ tree: treeOf(files), pages: [{ path, text }] })
  return found.map(({ linter, line, message }) => `${linter} ${line}: ${message}`)
}

it('says what Prettier writes in another way, on pages that it has written', async () => {
  const files = { '.prettierrc': '{}', 'docs/a.md': page }
  expect(await linesOf(files, 'docs/a.md', page)).toEqual([])
  const lines = await linesOf(files)
  expect(lines).toEqual([
    'prettier 4: Prettier writes an empty line above this one',
    expect.stringMatching(/^prettier \d+: Prettier writes for these \d lines: \| a {3}\| b/),
  ])
  expect(lines.join('\n')).toContain('| --- | ---------- |')
})

it('follows the settings of the nearest folder and its overrides', async () => {
  const long = `# Title\n\n${'word '.repeat(30).trim()}\n`
  const wrapped = `# Title\n\n${'word '.repeat(16).trim()}\n${'word '.repeat(14).trim()}\n`
  const settings = '{"overrides": [{"files": ["*.md"], "options": {"proseWrap": "always"}}]}'
  const files = { 'package.json': `{"prettier": ${settings}}`, 'docs/a.md': wrapped }
  expect(await linesOf(files, 'docs/a.md', long)).toHaveLength(1)
  expect(await linesOf({ ...files, 'docs/.prettierrc.yaml': 'semi: false\n' }, 'docs/a.md', long)).toEqual([])
})

it('judges a new page by those beside it', async () => {
  const files = { '.prettierrc.json': '{}', 'docs/b.md': page }
  expect(await linesOf(files)).not.toEqual([])
  expect(await linesOf({ ...files, 'docs/b.md': changed })).toEqual([])
  expect(await linesOf({ '.prettierrc.json': '{}' })).toEqual([])
})

it('leaves pages alone where Prettier has no settings, code for settings, or does not write them', async () => {
  for (const files of [
    {},
    { 'package.json': '{}' },
    { 'prettier.config.mjs': 'export default {}' },
    { '.prettierrc': 'x' },
    { '.prettierrc': '{', 'a.json': '{}' },
    { 'package.json': '{"prettier": "@company/settings"}' },
    { '.prettierrc': '{}', '.prettierignore': 'docs/*.md\n' },
    { '.prettierrc': '{}', 'docs/.prettierrc.cjs': 'module.exports = {}' },
  ])
    expect(await linesOf({ ...files, 'docs/a.md': page }), JSON.stringify(files)).toEqual([])
  expect(await linesOf({ '.prettierrc': '{}', 'docs/a.md': `${page}* not so\n` })).toEqual([])
})

it('takes no parser and no plug-in from the repository', async () => {
  const files = { '.prettierrc': '{"parser": "babel", "plugins": ["./evil.js"]}', 'docs/a.md': page }
  expect(await linesOf(files)).toHaveLength(2)
})
