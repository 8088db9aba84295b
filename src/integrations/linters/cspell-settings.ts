import { insideTree, readSettings, readText } from './find-configuration.ts'
import type { LintFile, Prepared } from './linter.ts'
import type { LintTree } from '../../site/checks/lint.ts'
import { isRecord } from '../../lib/is-record.ts'

/** The names that the program looks for, in its order, but for those of JavaScript and TOML. */
export const cspellNames = (
  'package.json .cspell.json cspell.json .cSpell.json cSpell.json .cspell.jsonc cspell.jsonc ' +
  '.vscode/cspell.json .vscode/cSpell.json .vscode/.cspell.json ' +
  '.cspell.config.json .cspell.config.jsonc .cspell.config.yaml .cspell.config.yml ' +
  'cspell.config.json cspell.config.jsonc cspell.config.yaml cspell.config.yml ' +
  '.cspell.yaml .cspell.yml cspell.yaml cspell.yml ' +
  '.config/.cspell.json .config/cspell.json .config/.cSpell.json .config/cSpell.json ' +
  '.config/.cspell.jsonc .config/cspell.jsonc ' +
  '.config/cspell.config.json .config/cspell.config.jsonc .config/cspell.config.yaml .config/cspell.config.yml ' +
  '.config/.cspell.config.json .config/.cspell.config.jsonc .config/.cspell.config.yaml .config/.cspell.config.yml ' +
  '.config/.cspell.yaml .config/.cspell.yml .config/cspell.yaml .config/cspell.yml'
).split(' ')

/** Settings that load code, or settings from elsewhere. */
const refused = ['plugins', 'reporters', 'parser', 'pnpFiles', 'loadDefaultConfiguration']
const kept = (
  'version language locale local languageId words userWords flagWords ignoreWords suggestWords ignorePaths files ' +
  'dictionaries noSuggestDictionaries ignoreRegExpList includeRegExpList patterns minWordLength ' +
  'maxNumberOfProblems maxDuplicateProblems allowCompoundWords caseSensitive enabled enableFiletypes ' +
  'enabledFileTypes enabledLanguageIds enableGlobDot ignoreRandomStrings minRandomLength filename name description'
).split(' ')
const keptOfDictionaries =
  'words flagWords ignoreWords suggestWords type noSuggest ignoreForbiddenWords'.split(' ')
const maxFiles = 50
const maxDepth = 4

/** The first configuration with usable settings, rebuilt as plain data. */
export async function prepareCspell(
  tree: LintTree,
  found: readonly { folder: string; name: string }[],
): Promise<Prepared | undefined> {
  for (const { folder, name } of found) {
    const path = `${folder}${name}`
    const settings = await readFile(tree, path)
    const own = name === 'package.json' ? settings?.['cspell'] : settings
    if (name === 'package.json' && own === undefined) continue
    if (!isRecord(own)) return undefined
    const files: LintFile[] = []
    const clean = await cleaned(own, { tree, root: folder, folder: folderOf(path), files }, 0)
    return (
      clean && {
        folder,
        files: [...files, { path: 'docwright-cspell.json', content: JSON.stringify(clean) }],
      }
    )
  }
  return undefined
}

interface Place {
  tree: LintTree
  /** Where the program runs, in the tree. */
  root: string
  /** Of the configuration, in the tree. */
  folder: string
  /** Word lists and imported configurations, beside the pages. */
  files: LintFile[]
}

/**
 * Only the settings about which words are correct; undefined when the configuration loads something that is not
 * supported.
 */
async function cleaned(
  settings: Record<string, unknown>,
  place: Place,
  depth: number,
): Promise<Record<string, unknown> | undefined> {
  if (depth > maxDepth || refused.some((key) => settings[key] !== undefined)) return undefined
  const clean: Record<string, unknown> = {}
  const { import: imports, dictionaryDefinitions: definitions } = settings
  if (imports !== undefined) {
    const names: string[] = []
    for (const name of [imports].flat()) {
      const imported = await importSettings(name, place, depth)
      if (imported === undefined) return undefined
      names.push(`./${imported.path}`)
    }
    clean['import'] = names
  }
  for (const key of kept) if (settings[key] !== undefined) clean[key] = settings[key]
  for (const key of ['overrides', 'languageSettings']) {
    const list = settings[key]
    if (!Array.isArray(list)) continue
    const parts: Record<string, unknown>[] = []
    for (const part of list.filter(isRecord)) {
      const own = part['import'] === undefined ? await cleaned(part, place, depth + 1) : undefined
      if (own === undefined) return undefined
      parts.push(own)
    }
    clean[key] = parts
  }
  if (!Array.isArray(definitions)) return clean
  const known: Record<string, unknown>[] = []
  for (const definition of definitions.filter(isRecord)) {
    const { name, path } = definition
    if (typeof name !== 'string') continue
    const own: Record<string, unknown> = { name }
    for (const key of keptOfDictionaries) if (definition[key] !== undefined) own[key] = definition[key]
    if (path !== undefined) {
      const file = typeof path === 'string' ? await readWords(place, path) : undefined
      if (file === undefined) return undefined
      own['path'] = `./${file.path}`
    }
    known.push(own)
  }
  return { ...clean, dictionaryDefinitions: known }
}

/** Settings of another file in the tree. Settings from packages are code or lie elsewhere, and are not supported. */
async function importSettings(name: unknown, place: Place, depth: number): Promise<LintFile | undefined> {
  const path = typeof name === 'string' ? insideTree(place.folder, name) : undefined
  if (path === undefined || !/\.(?:jsonc?|ya?ml)$/.test(path)) return undefined
  const settings = await readFile(place.tree, path)
  const folder = folderOf(path)
  const clean = settings && (await cleaned(settings, { ...place, folder }, depth + 1))
  if (clean === undefined) return undefined
  // Its globs are relative to its own folder.
  const globRoot = folder.startsWith(place.root) ? `./${folder.slice(place.root.length)}` : './'
  const content = JSON.stringify({ ...clean, globRoot })
  return add(place, { path: `docwright-cspell-${place.files.length}.json`, content })
}

/** A plain list of words. It is copied under a name that can only mean a list of words. */
async function readWords(place: Place, path: string): Promise<LintFile | undefined> {
  const inside = insideTree(place.folder, path)
  if (inside === undefined || /\.(?:gz|b?trie)$/.test(inside)) return undefined
  const content = await place.tree.read(inside)
  return content && add(place, { path: `docwright-words-${place.files.length}.txt`, content })
}

function add({ files }: Place, file: LintFile): LintFile | undefined {
  if (files.length >= maxFiles) return undefined
  files.push(file)
  return file
}

async function readFile(tree: LintTree, path: string): Promise<Record<string, unknown> | undefined> {
  const text = await readText(tree, path)
  return text === undefined ? undefined : readSettings(text, path)
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}
