import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createLint } from './create-lint.ts'

const seenCall = z.object({
  args: z.array(z.string()),
  stdin: z.string(),
  env: z.record(z.string(), z.string()),
  files: z.record(z.string(), z.string()),
})

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docwright-linters-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A program of that name that writes down how it was called and says what it is told to. */
async function install(
  name: string,
  said: { stdout?: string; stderr?: string; code?: number; busy?: boolean },
) {
  const bin = join(folder, `bin-${Math.random().toString(36).slice(2)}`)
  const seen = join(bin, 'seen.json')
  await mkdir(bin)
  const script = `#!${process.execPath}
const { readFileSync, readdirSync, writeFileSync } = require('node:fs')
const { spawn } = require('node:child_process')
const files = Object.fromEntries(readdirSync('.', { recursive: true, withFileTypes: true })
  .filter((file) => file.isFile())
  .map((file) => [file.parentPath + '/' + file.name])
  .map(([path]) => [path, readFileSync(path, 'utf8')]))
const call = { args: process.argv.slice(2), stdin: readFileSync(0, 'utf8'), env: { ...process.env }, files }
const child = ${said.busy === true} ? spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }) : undefined
writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ ...call, env: { ...call.env, CHILD: String(child?.pid) } }))
process.stdout.write(${JSON.stringify(said.stdout ?? '')}.replaceAll('$CWD', process.cwd()))
process.stderr.write(${JSON.stringify(said.stderr ?? '')})
process.exitCode = ${said.code ?? 0}
`
  await writeFile(join(bin, name), script)
  await chmod(join(bin, name), 0o755)
  return { path: bin, seen: async () => seenCall.parse(JSON.parse(await readFile(seen, 'utf8'))) }
}

function treeOf(files: Record<string, string>) {
  return {
    list: () => Object.keys(files),
    read: async (path: string) => (files[path] === undefined ? undefined : Buffer.from(files[path])),
  }
}

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
    expect(await createLint(program.path)({ tree, pages })).toEqual([
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

  it('is left alone when it says nothing that can be read, or too much, or runs too long with all its children', async () => {
    for (const stdout of ['{"Code": "E100", "Text": "no style"}', 'oops', '', '[1]', 'x'.repeat(9_000_000)]) {
      const program = await install('vale', { stdout, code: 2 })
      expect(await createLint(program.path)({ tree, pages })).toEqual([])
    }
    const program = await install('vale', { stdout: '{}', busy: true })
    expect(await createLint(program.path, 1500)({ tree, pages })).toEqual([])
    const child = Number((await program.seen()).env['CHILD'])
    await expect.poll(() => isRunning(child)).toBe(false)
  })

  it('does not run where it is not installed, not set up, or for other folders', async () => {
    expect(await createLint(`${folder}:.:`)({ tree, pages })).toEqual([])
    const program = await install('vale', { stdout: '{}' })
    const lint = createLint(program.path)
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
      'a.md:2:1 error MD018/no-missing-space-atx No space after hash [Context: "#Title"]',
      'a.md:1 MD041/first-line-heading First line should be a heading',
      '../etc/passwd:1 MD041 x',
    ].join('\n'),
    code: 1,
  }

  it('gets the rules of the repository as plain data', async () => {
    const program = await install('markdownlint-cli2', said)
    const tree = treeOf({ 'docs/.markdownlint.yaml': 'MD013: false # no\n', '.markdownlint.json': '{}' })
    expect(await createLint(program.path)({ tree, pages })).toMatchObject([
      { linter: 'markdownlint', path: 'docs/a.md', line: 2, rule: 'MD018/no-missing-space-atx' },
      { linter: 'markdownlint', path: 'docs/a.md', line: 1, rule: 'MD041/first-line-heading' },
    ])
    const { args, files } = await program.seen()
    expect(args).toEqual(['--', 'a.md', '-b c.mdx'])
    expect(files['./.markdownlint-cli2.jsonc']).toBe('{"config":{"MD013":false}}')
  })

  it('does not run with what loads code', async () => {
    const program = await install('markdownlint-cli2', said)
    const lint = createLint(program.path)
    for (const settings of [
      '{"customRules": ["./x.mjs"]}',
      '{"markdownItPlugins": [["x"]]}',
      '{"outputFormatters": [["x"]]}',
      '{"config": {"extends": "x"}}',
      '{',
    ]) {
      expect(await lint({ tree: treeOf({ '.markdownlint-cli2.jsonc': settings }), pages })).toEqual([])
    }
    expect(await lint({ tree: treeOf({ '.markdownlint.json': '{"extends": "x"}' }), pages })).toEqual([])
    expect(await lint({ tree: treeOf({ '.markdownlint-cli2.mjs': 'export default {}' }), pages })).toEqual([])
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
    expect(await createLint(program.path)({ tree, pages })).toEqual([
      { linter: 'cspell', path: 'docs/a.md', line: 2, message: 'Unknown word: teh', rule: undefined },
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

  it('does not run with what loads code or other places', async () => {
    const program = await install('cspell', said)
    const lint = createLint(program.path)
    for (const settings of [
      'import: ["@cspell/dict-de/cspell-ext.json"]',
      'plugins: [x]',
      'reporters: [./x.js]',
      'overrides: [{filename: a, import: b}]',
      'dictionaryDefinitions: [{name: a, path: ../../etc/passwd.txt}]',
      'dictionaryDefinitions: [{name: a, path: "https://evil.example/a.txt"}]',
    ]) {
      expect(await lint({ tree: treeOf({ 'cspell.yaml': settings }), pages }), settings).toEqual([])
    }
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
