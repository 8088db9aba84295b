import { isRecord } from '../../../lib/is-record.ts'
import type { FrontMatterData } from '../../pages/page.ts'
import { anyGlob } from '../../text/glob.ts'
import { fileName, folderOf } from '../../text/paths.ts'
import { type Settings, settingAt, textAt } from '../settings.ts'

interface Pages {
  /** The `_index.md` of each folder that has one. */
  sections: ReadonlyMap<string, string>
  dataOf: (path: string) => FrontMatterData
  /** Path within the content, without extension and language. */
  nameOf: (path: string) => string | undefined
}

interface Rule {
  fields: FrontMatterData
  isFor: (path: string) => boolean
}

/** The front matter of a page with what the configuration and the `_index.md` above it hand down; the nearest wins, and its own before all. */
export function cascadeOf(
  settings: Settings,
  { sections, dataOf, nameOf }: Pages,
): (path: string, own: FrontMatterData) => FrontMatterData {
  const kindOf = (path: string): string => {
    if (!fileName(path).startsWith('_index.')) return 'page'
    return nameOf(path) === '_index' ? 'home' : 'section'
  }
  const rulesIn = (cascade: unknown): Rule[] =>
    [cascade].flat().flatMap((one) => {
      if (!isRecord(one)) return []
      const { target: given, _target: older, ...rest } = one
      const target = given ?? older
      const [kind, path] = [textAt(target, 'kind'), textAt(target, 'path')]
      // Older versions have the fields beside the target, newer ones may have them in `params`.
      const [isPath, isKind] = [path === undefined ? undefined : globs(path), globs(kind ?? '**')]
      return [
        {
          fields: rest,
          isFor: (file) => {
            const name = `/${(nameOf(file) ?? '').replace(/\/?_?index$/, '').toLowerCase()}`
            return isKind(kindOf(file)) && (isPath === undefined || isPath(name.slice(1)))
          },
        },
      ]
    })
  const general = rulesIn(settingAt(settings, 'cascade'))
  const known = new Map<string, readonly Rule[]>()
  const rulesAt = (folder: string): readonly Rule[] => {
    const rules = known.get(folder)
    if (rules !== undefined) return rules
    const section = sections.get(folder)
    const own = section === undefined ? [] : rulesIn(dataOf(section)['cascade'])
    const above = folder === '' ? general : rulesAt(folderOf(folder.slice(0, -1)))
    const all = own.length === 0 ? above : [...above, ...own]
    known.set(folder, all)
    return all
  }
  return (path, own) => {
    const rules = rulesAt(folderOf(path))
    if (rules.length === 0) return own
    return Object.assign({}, ...rules.flatMap(({ fields, isFor }) => (isFor(path) ? [fields] : [])), own)
  }
}

/** A pattern that is too long, or takes too long, matches nothing. */
function globs(pattern: string): (path: string) => boolean {
  const quietly = <T>(work: () => T): T | undefined => {
    try {
      return work()
    } catch {
      return undefined
    }
  }
  const test = quietly(() => anyGlob([pattern.replaceAll(/(^|[{,])\//g, '$1')]))
  return (path) => quietly(() => test?.(path)) === true
}
