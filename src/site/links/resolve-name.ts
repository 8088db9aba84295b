import type { References } from '../restructured/references.ts'
import type { Framework, ResolvedLink } from '../site.ts'
import { folderOf, joinPath } from '../text/paths.ts'

/** What a name of Sphinx means: a label of a page, a term of a glossary, or a file to download. */
export function resolveName(
  site: {
    framework: Framework
    paths: ReadonlySet<string>
    labels: ReadonlyMap<string, string>
    references: References
  },
  fromPath: string,
  { kind, target: name }: { kind: 'label' | 'term' | 'source'; target: string },
): ResolvedLink | { path: string } {
  const { framework, paths, labels, references } = site
  if (kind === 'source') {
    const folder = name.startsWith('/') ? framework.root : folderOf(fromPath)
    const place = joinPath(folder, name.replace(/^\/+/, ''))
    if (place !== undefined && paths.has(place)) return { kind: 'asset', path: place }
    return { kind: 'broken', reason: `no file of the repository is ${name}`, near: undefined }
  }
  const page = labels.get(name) ?? labels.get(name.toLowerCase())
  if (page !== undefined) return { path: page }
  const place = kind === 'label' ? references.label(name) : references.term(name)
  if (place !== undefined) return { path: place.path }
  const isMade = /^(?:genindex|modindex|py-modindex|search)$/.test(name) || name.includes(':')
  if (isMade || framework.restructured === undefined || references.isEmpty) return { kind: 'external' }
  const near = references.near(kind, name)
  if (near === undefined && framework.links.hasForeignLabels === true) return { kind: 'external' }
  const what = kind === 'label' ? 'page has the label' : 'glossary has the term'
  const hint = near === undefined ? '' : `. The nearest is ${near}`
  return { kind: 'broken', reason: `no ${what} ${name}${hint}`, near: undefined }
}
