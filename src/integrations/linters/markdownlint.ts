import { foldersOf, insideTree, readSettings, readText } from './find-configuration.ts'
import type { Linter, LintFile } from './linter.ts'
import type { LintTree } from '../../site/checks/lint.ts'
import { isRecord } from '../../lib/is-record.ts'

/** The configuration files that the program reads, without those in JavaScript. */
const optionFiles = ['.markdownlint-cli2.jsonc', '.markdownlint-cli2.yaml']
const ruleFiles = ['.markdownlint.jsonc', '.markdownlint.json', '.markdownlint.yaml', '.markdownlint.yml']
/** Options that are plain data. Custom rules, plugins and formatters are programs: the built-in rules go without them. */
const kept = ['ignores', 'noInlineConfig', 'frontMatter']
const maxDepth = 5
const maxOverrides = 100

type Settings = Record<string, unknown>

/** markdownlint-cli2. Without a plugin it prints no JSON, so its lines are parsed. */
export const markdownlint: Linter = {
  name: 'markdownlint',
  program: 'markdownlint-cli2',
  prepare: async (tree, pages) => {
    const known = new Set(tree.list())
    const files: LintFile[] = []
    for (const folder of foldersOf(pages)) {
      const options = optionFiles.find((name) => known.has(`${folder}${name}`))
      const rules = ruleFiles.find((name) => known.has(`${folder}${name}`))
      if (options !== undefined) {
        const clean = await cleanOptions(tree, folder, await read(tree, `${folder}${options}`))
        if (clean === undefined) return undefined
        files.push({ path: `${folder}.markdownlint-cli2.jsonc`, content: JSON.stringify(clean) })
      }
      if (rules !== undefined) {
        const clean = await resolveRules(tree, folder, await read(tree, `${folder}${rules}`))
        if (clean === undefined) return undefined
        files.push({ path: `${folder}.markdownlint.json`, content: JSON.stringify(clean) })
      }
    }
    return files.length === 0 ? undefined : { folder: '', files }
  },
  // The colon marks a literal name instead of a pattern.
  call: (pages) => ({ args: pages.map((page) => `:${page}`) }),
  // guides/install.md:3:1 error MD041/first-line-heading/first-line-h1 First line should be … [Context: "#Title"]
  parse: ({ stdout, stderr }) =>
    `${stderr}\n${stdout}`.split('\n').flatMap((said) => {
      const match =
        /^(.+?):(\d{1,9})(?::\d{1,9})? (?:(?:error|warning) )?(MD\d{3}(?:\/[\w-]+)?)(?:\/[\w-]+)* (.+)$/.exec(
          said.slice(0, 2000),
        )
      if (match === null) return []
      const [, path = '', line = '', rule, message = ''] = match
      return [{ path, line: Number(line), message, rule }]
    }),
}

async function read(tree: LintTree, path: string): Promise<Settings | undefined> {
  const text = await readText(tree, path)
  return text === undefined ? undefined : readSettings(text, path)
}

async function cleanOptions(
  tree: LintTree,
  folder: string,
  settings: Settings | undefined,
): Promise<Settings | undefined> {
  if (settings === undefined) return undefined
  const clean: Settings = {}
  for (const key of kept) if (settings[key] !== undefined) clean[key] = settings[key]
  // Patterns of files are not needed, because the pages are named on the command line.
  const { globs, overrides, config } = settings
  if (Array.isArray(globs))
    clean['globs'] = globs.filter((glob) => typeof glob === 'string' && /^[!#]/.test(glob))
  if (config !== undefined) {
    const rules = isRecord(config) ? await resolveRules(tree, folder, config) : undefined
    if (rules === undefined) return undefined
    clean['config'] = rules
  }
  if (Array.isArray(overrides)) {
    const parts: Settings[] = []
    for (const { filter, combine, config: changed } of overrides.slice(0, maxOverrides).filter(isRecord)) {
      const rules = isRecord(changed) ? await resolveRules(tree, folder, changed) : undefined
      if (rules === undefined) return undefined
      parts.push({ filter, combine, config: rules })
    }
    clean['overrides'] = parts
  }
  return clean
}

/** Rules with those that they extend, which must be data in the tree; undefined when they are elsewhere. */
async function resolveRules(
  tree: LintTree,
  folder: string,
  settings: Settings | undefined,
  depth = 0,
): Promise<Settings | undefined> {
  if (settings === undefined || depth > maxDepth) return undefined
  const { extends: from, ...rules } = settings
  if (from === undefined || from === null) return rules
  const path = typeof from === 'string' ? insideTree(folder, from) : undefined
  if (path === undefined || !/\.(?:jsonc?|ya?ml)$/.test(path)) return undefined
  const above = path.slice(0, path.lastIndexOf('/') + 1)
  const base = await resolveRules(tree, above, await read(tree, path), depth + 1)
  return base && { ...base, ...rules }
}
