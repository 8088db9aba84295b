import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Linter, LintFile, LintTree } from './linter.ts'
import { isRecord, readSettings } from './read-settings.ts'

const issue = z.object({ text: z.string(), row: z.number(), uri: z.string(), message: z.string().optional() })
const report = z.object({ issues: z.array(issue) })

/** What loads code or settings of other places. */
const refused = ['import', 'plugins', 'reporters', 'parser', 'pnpFiles', 'loadDefaultConfiguration']
const kept = [
  'version',
  'language',
  'languageId',
  'words',
  'userWords',
  'flagWords',
  'ignoreWords',
  'suggestWords',
  'ignorePaths',
  'dictionaries',
  'noSuggestDictionaries',
  'ignoreRegExpList',
  'includeRegExpList',
  'patterns',
  'minWordLength',
  'maxNumberOfProblems',
  'maxDuplicateProblems',
  'allowCompoundWords',
  'caseSensitive',
  'enabled',
  'enabledFileTypes',
  'enabledLanguageIds',
  'filename',
  'name',
  'description',
]
const maxDictionaries = 50

/** cspell, with the words and plain word lists of the repository. */
export const cspell: Linter = {
  name: 'cspell',
  program: 'cspell',
  configurations: [
    'cspell.json',
    '.cspell.json',
    'cSpell.json',
    'cspell.config.json',
    'cspell.yaml',
    'cspell.yml',
    'cspell.config.yaml',
  ],
  prepare: async (tree, { folder, name, text }) => {
    const settings = readSettings(text, name)
    const dictionaries: LintFile[] = []
    const clean =
      settings === undefined ? undefined : await cleaned(settings, { tree, folder, dictionaries }, 0)
    if (clean === undefined) return undefined
    return [...dictionaries, { path: 'docwright-cspell.json', content: JSON.stringify(clean) }]
  },
  call: (pages) => ({
    args: [
      'lint',
      '--config=docwright-cspell.json',
      '--no-config-search',
      '--no-progress',
      '--no-summary',
      '--no-color',
      '--no-must-find-files',
      '--reporter=@cspell/cspell-json-reporter',
      '--file-list=stdin',
      '--',
    ],
    stdin: `${pages.map((page) => `./${page}`).join('\n')}\n`,
  }),
  parse: ({ stdout }) => {
    const start = stdout.indexOf('{')
    const parsed = report.safeParse(start === -1 ? undefined : jsonOf(stdout.slice(start)))
    return (parsed.data?.issues ?? []).map(({ text, row, uri, message }) => ({
      path: pathOf(uri),
      line: row,
      message: `${message ?? 'Unknown word'}: ${text}`,
      rule: undefined,
    }))
  },
}

interface Place {
  tree: LintTree
  folder: string
  dictionaries: LintFile[]
}

/** Only what says which words are right; undefined when the configuration loads what is not run here. */
async function cleaned(
  settings: Record<string, unknown>,
  place: Place,
  depth: number,
): Promise<Record<string, unknown> | undefined> {
  if (depth > 2 || refused.some((key) => settings[key] !== undefined)) return undefined
  const clean: Record<string, unknown> = {}
  for (const key of kept) if (settings[key] !== undefined) clean[key] = settings[key]
  for (const key of ['overrides', 'languageSettings']) {
    const list = settings[key]
    if (!Array.isArray(list)) continue
    const parts = await Promise.all(list.filter(isRecord).map((part) => cleaned(part, place, depth + 1)))
    if (parts.includes(undefined)) return undefined
    clean[key] = parts
  }
  const definitions = settings['dictionaryDefinitions']
  if (!Array.isArray(definitions)) return clean
  const known: { name: string; path?: string; words?: unknown }[] = []
  for (const definition of definitions.filter(isRecord).slice(0, maxDictionaries)) {
    const { name, path, words } = definition
    if (typeof name !== 'string') continue
    if (typeof path !== 'string') known.push({ name, words })
    else {
      const file = await readWords(place, path)
      if (file === undefined) return undefined
      place.dictionaries.push(file)
      known.push({ name, path: `./${file.path}` })
    }
  }
  return { ...clean, dictionaryDefinitions: known }
}

/** A plain list of words below the configuration. */
async function readWords({ tree, folder, dictionaries }: Place, path: string): Promise<LintFile | undefined> {
  const plain = path.replace(/^(?:\.\/)+/, '')
  if (!/^[\w./ -]+\.(?:txt|dic)$/.test(plain) || plain.startsWith('/') || plain.split('/').includes('..'))
    return undefined
  const content = await tree.read(`${folder}${plain}`)
  return content === undefined ? undefined : { path: `docwright-words-${dictionaries.length}.txt`, content }
}

function pathOf(uri: string): string {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : uri
  } catch {
    return uri
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
