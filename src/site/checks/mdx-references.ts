import { folderOf, resolvePath } from '../text/paths.ts'
import { type Reference, withoutCode } from './snippet-reference.ts'
import type { FileVersion } from './tree-change.ts'

const maxStatement = 40

/** Imports, `require` in attributes and Mintlify's `<Snippet file>`; packages and aliases of a build are left out. */
export function mdxReferences(file: FileVersion): Reference[] {
  const { lines } = file
  const found: Reference[] = []
  let isStart = true
  for (const [at, { kind, text }] of lines.entries()) {
    const starts: boolean = isStart && kind === 'text' && /^(?:import|export)\b/.test(text)
    isStart = kind !== 'text' || text.trim() === '' || starts || (isStart && /^[\s}]/.test(text))
    if (kind !== 'text') continue
    const add = (name: string | undefined) => {
      const candidates = name === undefined ? [] : pathsOf(file, name)
      if (name !== undefined && candidates.length > 0)
        found.push({ line: at + 1, text: name, candidates, isCode: true })
    }
    if (starts) add(importedBy(lines.slice(at, at + maxStatement).map((line) => line.text)))
    if (!text.includes('require(') && !text.includes('<Snippet')) continue
    const plain = withoutCode(text)
    for (const [, , name] of plain.matchAll(/[={(]\s{0,20}require\(\s{0,20}(['"])([^'"\n]{1,500})\1/g))
      add(name)
    for (const [, , name = ''] of plain.matchAll(/<Snippet\s+file=(["'])([^"'\n]{1,500})\1/g)) {
      const { root, framework } = file.site
      if (framework !== 'mintlify') continue
      const candidates = ['snippets/', '_snippets/', ''].map(
        (folder) => `${root}${folder}${name.replace(/^\//, '')}`,
      )
      found.push({ line: at + 1, text: name, candidates, isCode: false })
    }
  }
  return found
}

/** The module that a statement names, however many lines it takes. */
function importedBy(lines: readonly string[]): string | undefined {
  const [first = ''] = lines
  const end = lines.findIndex((line) => line.trim() === '')
  const statement = lines
    .slice(0, end === -1 ? undefined : end)
    .join('\n')
    .slice(0, 5000)
  const quoted = first.startsWith('import')
    ? /^import\s{1,20}(?:[^'"`;]*?[\s}]from\s{0,20})?(['"])([^'"\n]+)\1/.exec(statement)
    : /^export\s{1,20}(?:\*|\{)[^'"`;=]*?\bfrom\s{0,20}(['"])([^'"\n]+)\1/.exec(statement)
  return quoted?.[2]
}

function pathsOf({ path, site }: FileVersion, name: string): string[] {
  // Loaders of webpack stand before a name, what a bundler is to make of it behind; formatters escape underscores.
  const plain = (name.split('!').at(-1) ?? '').replace(/\?.*/s, '').replace(/\\(.)/g, '$1')
  if (plain.includes('node_modules/')) return []
  let found: string | undefined
  if (/^\.\.?(?:\/|$)/.test(plain)) found = resolvePath(folderOf(path), plain)
  else if (site.framework === 'docusaurus' && plain.startsWith('@site/'))
    found = resolvePath(folderOf(site.configPaths[0] ?? ''), plain.slice('@site/'.length))
  else if (site.framework === 'mintlify' && plain.startsWith('/'))
    found = resolvePath(site.root, plain.slice(1))
  return found === undefined || found === '' ? [] : [found]
}
