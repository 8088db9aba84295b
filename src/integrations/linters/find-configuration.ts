import type { LintTree } from '../../site/checks/lint.ts'
import { isRecord } from '../../lib/is-record.ts'
import { parse as parseJson, type ParseError } from 'jsonc-parser'
import { isHostileYaml } from '../../lib/text/hostile-yaml.ts'
import { parseYaml } from '../../lib/text/yaml.ts'

const maxConfiguration = 512 * 1024

/**
 * The configuration files of those names that hold for all of the pages, the innermost first.
 * @param names may lead into a folder, as in `.config/cspell.json`; the first one counts most
 */
export function findConfigurations(
  tree: LintTree,
  names: readonly string[],
  pages: readonly string[],
): { folder: string; name: string }[] {
  const files = new Set(tree.list())
  const common = foldersOf(pages).filter((folder) => pages.every((page) => page.startsWith(folder)))
  return common.flatMap((folder) =>
    names.filter((name) => files.has(`${folder}${name}`)).map((name) => ({ folder, name })),
  )
}

/** Every folder that a page is in, however deep, with a slash at its end; the deepest first, the root as ''. */
export function foldersOf(pages: readonly string[]): string[] {
  const folders = new Set<string>()
  for (const page of pages) {
    let at = page.lastIndexOf('/')
    while (at !== -1 && !folders.has(page.slice(0, at + 1))) {
      folders.add(page.slice(0, at + 1))
      at = page.lastIndexOf('/', at - 1)
    }
  }
  return [...[...folders].sort((one, other) => other.length - one.length), '']
}

/** Undefined when it is not there or too large. */
export async function readText(tree: LintTree, path: string): Promise<string | undefined> {
  const source = await tree.read(path)
  return source === undefined || source.length > maxConfiguration
    ? undefined
    : new TextDecoder().decode(source)
}

/** Where a path in a configuration leads within the tree; undefined when it leads out of it. */
export function insideTree(folder: string, path: string): string | undefined {
  if (/^[/~\\]|[\\:$\p{Cc}]/u.test(path)) return undefined
  const segments = folder.split('/').filter((segment) => segment !== '')
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') segments.push(segment)
    else if (segments.pop() === undefined) return undefined
  }
  return segments.join('/')
}

/** Characters: more than anybody writes, and read in an instant. */
const longest = 100_000

/** The keys and values of a configuration in JSON, with comments or without, or YAML; undefined for anything else. */
export function readSettings(text: string, name: string): Record<string, unknown> | undefined {
  if (text.length > longest) return undefined
  try {
    const value = /\.ya?ml$/.test(name) ? fromYaml(text) : fromJson(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function fromJson(text: string): unknown {
  const errors: ParseError[] = []
  const value = parseJson(text, errors, { allowTrailingComma: true }) as unknown
  return errors.length > 0 ? undefined : value
}

function fromYaml(text: string): unknown {
  return isHostileYaml(text) ? undefined : parseYaml(text, { lenient: true })
}
