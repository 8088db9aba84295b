import { mkdtemp, rm } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLint } from './create-lint.ts'
import { linterPrograms } from './linter-programs.ts'
import { installFake, treeOf } from '../../../tests/worlds/fake-program.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docwright-linters-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const install = (name: string, said: Parameters<typeof installFake>[2]) => installFake(folder, name, said)

const pages = [
  { path: 'docs/a.md', text: 'One.\nTwo.\n' },
  { path: 'docs/-b c.mdx', text: 'Three.\n' },
]

describe('vale', () => {
  const ini = `StylesPath = .github/styles
MinAlertLevel = suggestion
Packages = https://evil.example/x.zip
[formats]
md = asciidoc
[*.md]
BasedOnStyles = Vale, \\
  House
Vale.Spelling = NO
Transform = evil.xsl
`
  const tree = treeOf({
    '.vale.ini': ini,
    '.github/styles/House/Terms.yml': 'extends: substitution\n',
    '.github/styles/House/Script.yml': 'extends: script\nscript: x.tengo\n',
    '.github/styles/x.tengo': 'os.exec()',
    '.github/styles/config/vocabularies/Base/accept.txt': 'Acme\n',
  })
  const alert = { Action: { Name: '', Params: null }, Span: [1, 4], Severity: 'warning', Match: 'One' }

  it('gets the styles of the repository and nothing that is a program or elsewhere', async () => {
    const alerts = { 'docs/a.md': [{ ...alert, Check: 'House.Terms', Line: 1, Message: "Use 'a'." }] }
    const program = await install('vale', { stdout: JSON.stringify(alerts), code: 1 })
    expect(await createLint(linterPrograms(program.path))({ tree, pages })).toEqual([
      { linter: 'vale', path: 'docs/a.md', line: 1, message: "Use 'a'.", rule: 'House.Terms' },
    ])
    const { args, env, files } = await program.seen()
    expect(args).toEqual([
      '--config=.vale.ini',
      '--output=JSON',
      '--no-exit',
      '--',
      './docs/a.md',
      './docs/-b c.mdx',
    ])
    expect(Object.keys(env).sort()).toEqual(['CHILD', 'HOME', 'LC_ALL', 'PATH', 'TMPDIR', 'XDG_CONFIG_HOME'])
    expect(Object.keys(files).sort()).toEqual([
      './.vale.ini',
      'docs/-b c.mdx',
      'docs/a.md',
      'styles/House/Terms.yml',
      'styles/config/vocabularies/Base/accept.txt',
    ])
    expect(files['./.vale.ini']).toBe(
      'StylesPath = styles\nMinAlertLevel = suggestion\n[formats]\nmdx = md\n[*.md]\nBasedOnStyles = Vale, House\nVale.Spelling = NO\n',
    )
  })

  it('takes no styles from outside of the tree', async () => {
    const elsewhere = { '../styles/A/A.yml': 'a', 'etc/A/A.yml': 'a', '/etc/A.yml': 'a', 'docs/x/A.yml': 'a' }
    for (const place of ['../../etc', '../..', '/etc', '~/styles', 'C:\\styles', '$HOME/x', '..']) {
      const program = await install('vale', { stdout: '{}' })
      const tree = treeOf({ ...elsewhere, 'docs/.vale.ini': `StylesPath = ${place}\n` })
      await createLint(linterPrograms(program.path))({ tree, pages })
      const { files } = await program.seen()
      expect(Object.keys(files).filter((name) => name.endsWith('.yml'))).toEqual([])
      expect(files['./.vale.ini']).toMatch(/^StylesPath = styles\n/)
    }
  })

  it('is left alone when it says nothing that can be read, or too much, or runs too long with all its children', async () => {
    for (const stdout of ['{"Code": "E100", "Text": "no style"}', 'oops', '', '[1]', 'x'.repeat(9_000_000)]) {
      const program = await install('vale', { stdout, code: 2 })
      expect(await createLint(linterPrograms(program.path))({ tree, pages })).toEqual([])
    }
    const program = await install('vale', { stdout: '{}', busy: true })
    expect(await createLint(linterPrograms(program.path, 1500))({ tree, pages })).toEqual([])
    const child = Number((await program.seen()).env['CHILD'])
    await expect.poll(() => isRunning(child)).toBe(false)
  })

  it('does not run where it is not installed, not set up, or for other folders', async () => {
    expect(await createLint(linterPrograms(`${folder}:.:`))({ tree, pages })).toEqual([])
    const program = await install('vale', { stdout: '{}' })
    const lint = createLint(linterPrograms(program.path))
    await lint({ tree: treeOf({}), pages })
    await lint({ tree: treeOf({ 'other/.vale.ini': '' }), pages })
    await lint({ tree, pages: [{ path: 'a\n.md', text: '' }] })
    await expect(program.seen()).rejects.toThrow('ENOENT')
  })
})

describe('markdownlint-cli2', () => {
  const said = {
    stderr: [
      'markdownlint-cli2 v0.20.0 (markdownlint v0.40.0)',
      'docs/a.md:2:1 error MD018/no-missing-space-atx No space after hash [Context: "#Title"]',
      'docs/a.md:1 MD041/first-line-heading/first-line-h1 First line should be a heading',
      '../etc/passwd:1 MD041 x',
    ].join('\n'),
    code: 1,
  }

  it('gets the rules of the repository as plain data, those of each folder in its place', async () => {
    const program = await install('markdownlint-cli2', said)
    const tree = treeOf({
      'docs/.markdownlint.yaml': 'extends: ../rules.jsonc\nMD013: false # no\n',
      'rules.jsonc': '{"MD013": true, "MD040": false}',
      '.markdownlint-cli2.yaml':
        'globs: ["**/*.md", "!x.md"]\nignores: [old]\ncustomRules: [./x.mjs]\nmarkdownItPlugins: [[x]]\noutputFormatters: [[x]]\nmodulePaths: [x]\nfix: true\nconfig: {MD041: true}\n',
      '.markdownlint.cjs': 'process.exit()',
      'elsewhere/.markdownlint.json': '{}',
    })
    expect(await createLint(linterPrograms(program.path))({ tree, pages })).toMatchObject([
      { linter: 'markdownlint', path: 'docs/a.md', line: 2, rule: 'MD018/no-missing-space-atx' },
      { linter: 'markdownlint', path: 'docs/a.md', line: 1, rule: 'MD041/first-line-heading' },
    ])
    const { args, files } = await program.seen()
    expect(args).toEqual([':docs/a.md', ':docs/-b c.mdx'])
    expect(files).toEqual({
      './.markdownlint-cli2.jsonc': '{"ignores":["old"],"globs":["!x.md"],"config":{"MD041":true}}',
      'docs/.markdownlint.json': '{"MD013":false,"MD040":false}',
      'docs/a.md': 'One.\nTwo.\n',
      'docs/-b c.mdx': 'Three.\n',
    })
  })

  it('does not run where only code or other places say what holds', async () => {
    const program = await install('markdownlint-cli2', said)
    const lint = createLint(linterPrograms(program.path))
    for (const files of [
      { '.markdownlint-cli2.jsonc': '{"config": {"extends": "x"}}', 'docs/x': '{}' },
      {
        '.markdownlint-cli2.jsonc':
          '{"overrides": [{"filter": ["a"], "config": {"extends": "/etc/x.json"}}]}',
      },
      { '.markdownlint-cli2.jsonc': '{' },
      { '.markdownlint.json': '{"extends": "../x.json"}' },
      { '.markdownlint.json': '{"extends": "./.markdownlint.json"}' },
      { '.markdownlint-cli2.mjs': 'export default {}', 'docs/.markdownlint.cjs': 'module.exports = {}' },
    ])
      expect(await lint({ tree: treeOf(files), pages })).toEqual([])
    const tree = treeOf({ '.markdownlint.json': '{}' })
    await lint({ tree, pages: [{ path: '.markdownlint-cli2.mjs', text: 'process.exit()' }] })
    await expect(program.seen()).rejects.toThrow('ENOENT')
  })
})

describe('cspell', () => {
  const issue = { text: 'teh', offset: 4, row: 2, col: 5, uri: 'file://$CWD/docs/a.md', suggestions: ['the'] }
  const said = {
    stdout: JSON.stringify({ issues: [issue], info: [], result: { files: 2, issues: 1 } }),
    code: 1,
  }

  it('gets words and word lists of the repository', async () => {
    const program = await install('cspell', said)
    const tree = treeOf({
      'cspell.json': `{
        "words": ["acme"], "cache": {"useCache": true}, "globRoot": "/", // kept or not
        "dictionaryDefinitions": [{"name": "house", "path": "./words/house.txt", "addWords": true}],
        "overrides": [{"filename": "*.md", "ignoreWords": ["x"], "cacheFormat": "y"}]
      }`,
      'words/house.txt': 'docwright\n',
    })
    expect(await createLint(linterPrograms(program.path))({ tree, pages })).toEqual([
      {
        linter: 'cspell',
        path: 'docs/a.md',
        line: 2,
        message: 'Unknown word: teh; perhaps the',
        rule: undefined,
      },
    ])
    const { stdin, files, args } = await program.seen()
    expect(stdin).toBe('./docs/a.md\n./docs/-b c.mdx\n')
    expect(args.slice(-2)).toEqual(['--file-list=stdin', '--'])
    expect(JSON.parse(files['./docwright-cspell.json'] ?? '')).toEqual({
      words: ['acme'],
      dictionaryDefinitions: [{ name: 'house', path: './docwright-words-0.txt' }],
      overrides: [{ filename: '*.md', ignoreWords: ['x'] }],
    })
    expect(files['./docwright-words-0.txt']).toBe('docwright\n')
  })

  it('takes words and imports of the tree alone, wherever its configuration lies', async () => {
    const program = await install('cspell', said)
    const tree = treeOf({
      'package.json': '{"name": "x"}',
      '.config/cspell.yaml': 'import: ../spelling/more.json\nwords: [acme]\n',
      'spelling/more.json':
        '{"ignorePaths": ["x"], "dictionaryDefinitions": [{"name": "a", "path": "../a.words", "type": "W"}]}',
      'a.words': 'one\n',
    })
    await createLint(linterPrograms(program.path))({ tree, pages })
    const { files } = await program.seen()
    expect(files).toMatchObject({
      './docwright-cspell.json': '{"import":["./docwright-cspell-1.json"],"words":["acme"]}',
      './docwright-cspell-1.json': JSON.stringify({
        ignorePaths: ['x'],
        dictionaryDefinitions: [{ name: 'a', type: 'W', path: './docwright-words-0.txt' }],
        globRoot: './spelling/',
      }),
      './docwright-words-0.txt': 'one\n',
    })
  })

  it('does not run with what loads code or other places', async () => {
    const program = await install('cspell', said)
    const lint = createLint(linterPrograms(program.path))
    for (const settings of [
      'import: ["@cspell/dict-de/cspell-ext.json"]',
      'import: ./cspell.config.js',
      'import: ../outside.json',
      'import: ./cspell.yaml',
      'plugins: [x]',
      'reporters: [./x.js]',
      'overrides: [{filename: a, import: ./ok.json}]',
      'dictionaryDefinitions: [{name: a, path: ../../etc/passwd.txt}]',
      'dictionaryDefinitions: [{name: a, path: /etc/passwd}]',
      'dictionaryDefinitions: [{name: a, path: "~/words.txt"}]',
      'dictionaryDefinitions: [{name: a, path: "https://evil.example/a.txt"}]',
    ]) {
      const tree = treeOf({ 'cspell.yaml': settings, 'ok.json': '{}', 'cspell.config.js': 'process.exit()' })
      expect(await lint({ tree, pages }), settings).toEqual([])
    }
    const tree = treeOf({ 'cspell.config.mjs': 'export default {}', 'package.json': '{"cspell": "x.js"}' })
    expect(await lint({ tree, pages })).toEqual([])
    await expect(program.seen()).rejects.toThrow('ENOENT')
  })
})

/** A killed orphan may stay a zombie where nothing reaps. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
