import { structuredPatch } from 'diff'
import type { Options, Plugin } from 'prettier'
import { isRecord } from '../../lib/is-record.ts'
import type { LintMessage, LintPage, LintTree } from '../../site/checks/lint.ts'
import { ignorePatterns } from '../../site/links/made-files.ts'
import { anyGlob } from '../../site/text/glob.ts'
import { foldersOf, readSettings, readText } from './find-configuration.ts'

/** Those that are plain data. Where settings are code, or come from a package, pages are not looked at. */
const dataNames = [
  '.prettierrc',
  '.prettierrc.json',
  '.prettierrc.yaml',
  '.prettierrc.yml',
  '.prettierrc.json5',
]
const codeNames = /^(?:\.prettierrc|prettier\.config)\.(?:[cm]?[jt]s|toml)$/
/** Options of the Markdown around code and of the code in it; not parsers, plug-ins and ranges. */
const options = (
  'arrowParens bracketSameLine bracketSpacing embeddedLanguageFormatting endOfLine htmlWhitespaceSensitivity jsxSingleQuote ' +
  'objectWrap printWidth proseWrap quoteProps semi singleAttributePerLine singleQuote tabWidth trailingComma useTabs'
).split(' ')
/** Characters; formatting takes about as long as reading a page ten times. */
const longestPage = 200_000
const mostMessages = 20
/** Pages of the base that tell whether Prettier writes those beside a new one. */
const mostSiblings = 3

/**
 * What Prettier would write in another way, of pages that it writes: a page that was not as Prettier writes it before the
 * change stays as its authors want it.
 */
export async function checkFormat(
  tree: LintTree,
  pages: readonly LintPage[],
  begin: (tree: 'base' | 'change', path: string) => boolean,
): Promise<LintMessage[]> {
  const paths = [...tree.list()]
  const known = new Set(paths)
  const find = settingsIn(tree, known)
  const messages: LintMessage[] = []
  for (const { path, text } of pages) {
    const settings = await find(path)
    if (settings === undefined || text.length > longestPage) continue
    const before = known.has(path) ? [path] : siblingsOf(path, paths)
    let areFormatted = before.length > 0
    for (const other of before) {
      const own = areFormatted ? await readText(tree, other) : undefined
      areFormatted &&=
        own !== undefined &&
        own.length <= longestPage &&
        begin('base', other) &&
        (await format(own, other, settings)) === own
    }
    if (!areFormatted || !begin('change', path)) continue
    const formatted = await format(text, path, settings)
    if (formatted !== undefined) messages.push(...differences(path, text, formatted))
  }
  return messages
}

function siblingsOf(path: string, paths: readonly string[]): string[] {
  const ending = path.slice(path.lastIndexOf('.'))
  for (const folder of foldersOf([path])) {
    const beside = paths.filter((one) => one.startsWith(folder) && one.endsWith(ending))
    if (beside.length > 0) return beside.slice(0, mostSiblings)
  }
  return []
}

/** Finds the settings for a page; undefined where there are none that are plain data, or the page is left out. */
function settingsIn(
  tree: LintTree,
  paths: ReadonlySet<string>,
): (path: string) => Promise<Options | undefined> {
  const codeFolders = new Set(
    [...paths].flatMap((path) => {
      const at = path.lastIndexOf('/') + 1
      return codeNames.test(path.slice(at)) ? [path.slice(0, at)] : []
    }),
  )
  const read = async (folder: string): Promise<unknown> => {
    for (const name of ['package.json', ...dataNames]) {
      if (!paths.has(`${folder}${name}`)) continue
      const settings = readSettings((await readText(tree, `${folder}${name}`)) ?? '', name)
      const own = name === 'package.json' ? settings?.['prettier'] : (settings ?? 'not data')
      if (own !== undefined) return own
    }
    return codeFolders.has(folder) ? 'code' : undefined
  }
  const settingsOf = new Map<string, Promise<unknown>>()
  let ignored: Promise<(path: string) => boolean> | undefined
  return async (path) => {
    ignored ??= (async () =>
      ignorePatterns(paths.has('.prettierignore') ? ((await readText(tree, '.prettierignore')) ?? '') : ''))()
    if ((await ignored)(path)) return undefined
    for (const folder of foldersOf([path])) {
      const settings = settingsOf.get(folder) ?? read(folder)
      settingsOf.set(folder, settings)
      const own = await settings
      if (own === undefined) continue
      return isRecord(own) ? optionsFor(path.slice(folder.length), own) : undefined
    }
    return undefined
  }
}

function optionsFor(path: string, settings: Record<string, unknown>): Options {
  const overrides = Array.isArray(settings['overrides']) ? settings['overrides'] : []
  const all = [settings]
  for (const one of overrides) {
    if (!isRecord(one) || !isRecord(one['options'])) continue
    if (matches(one['files'], path) && !matches(one['excludeFiles'], path)) all.push(one['options'])
  }
  const merged: Record<string, unknown> = Object.assign({}, ...all)
  return Object.fromEntries(options.flatMap((name) => (name in merged ? [[name, merged[name]]] : [])))
}

function matches(globs: unknown, path: string): boolean {
  try {
    return anyGlob([globs].flat().filter((one) => typeof one === 'string'))(path)
  } catch {
    return false
  }
}

/** Undefined for what Prettier cannot read. */
async function format(text: string, path: string, settings: Options): Promise<string | undefined> {
  const [{ format: write }, plugins] = await Promise.all([import('prettier/standalone'), languages()])
  try {
    return await write(text, { ...settings, parser: path.endsWith('.mdx') ? 'mdx' : 'markdown', plugins })
  } catch {
    return undefined
  }
}

/** Markdown, and the languages in it. */
async function languages(): Promise<Plugin[]> {
  return Promise.all([
    import('prettier/plugins/markdown'),
    import('prettier/plugins/yaml'),
    import('prettier/plugins/babel'),
    import('prettier/plugins/estree'),
    import('prettier/plugins/typescript'),
    import('prettier/plugins/postcss'),
    import('prettier/plugins/html'),
    import('prettier/plugins/graphql'),
  ])
}

function differences(path: string, text: string, formatted: string): LintMessage[] {
  if (text === formatted) return []
  const patch = structuredPatch('', '', text, formatted, '', '', { context: 0, maxEditLength: 2000 })
  const at = (line: number, message: string): LintMessage => ({
    linter: 'prettier',
    path,
    line: Math.max(1, line),
    message,
    rule: undefined,
    isNew: true,
  })
  if (patch === undefined) return [at(1, 'Prettier writes this page in another way throughout')]
  return patch.hunks.slice(0, mostMessages).map(({ oldStart, oldLines, lines }) => {
    const added = lines.filter((line) => line.startsWith('+')).map((line) => line.slice(1))
    if (added.length === 0) return at(oldStart, 'Prettier leaves this line out')
    if (added.every((line) => line === ''))
      return at(oldStart, 'Prettier writes an empty line above this one')
    const place = oldLines === 0 ? 'above this line' : oldLines === 1 ? 'here' : `for these ${oldLines} lines`
    return at(oldStart, `Prettier writes ${place}: ${added.join('\n').slice(0, 400)}`)
  })
}
