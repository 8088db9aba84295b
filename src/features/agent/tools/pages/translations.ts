import type { Site } from '../../../../site/site.ts'
import { fileName, folderOf } from '../../../../site/text/paths.ts'

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

function isLanguage(name: string): boolean {
  return (
    /^[a-z]{2,3}(?:[-_](?:[a-z]{2}|[a-z]{4}|\d{3}))?$/i.test(name) &&
    languages.of(name.replace('_', '-')) !== undefined
  )
}

/**
 * The translations of a page of the main language: its copies in other languages and in its own version. `files` are all
 * of the repository, in which a folder of each language may have them, whatever the configuration says.
 */
export function translationsOf(site: Site, path: string, files: Iterable<string> = []): string[] {
  return [...new Set([...knownTranslations(site, path), ...mirrored(path, files)])]
}

/** Files of the same path in the folders of other languages beside that of English. */
function mirrored(path: string, files: Iterable<string>): string[] {
  const parts = path.split('/')
  const at = parts.indexOf('en')
  if (at === -1) return []
  const before = parts
    .slice(0, at)
    .map((part) => `${part}/`)
    .join('')
  const after = `/${parts.slice(at + 1).join('/')}`
  return [...files].filter((file) => {
    if (!file.startsWith(before) || !file.endsWith(after)) return false
    const language = file.slice(before.length, -after.length)
    return language !== 'en' && isLanguage(language)
  })
}

function knownTranslations(site: Site, path: string): string[] {
  const page = site.pageFor(path)
  const [first = ''] = site.pages
  const main = site.language ?? site.pageFor(first)?.language
  const language = page?.language ?? main
  if (page === undefined || language?.toLowerCase() !== main?.toLowerCase()) return []
  return site.copiesOf(path).filter((other) => {
    const one = site.pageFor(other)
    return one !== undefined && one.language !== page.language && one.version === page.version
  })
}

/** Copies of moved pages that stay where they are: those of other versions, and the original of a translation. */
export function copiesThatStay(
  site: Site,
  moves: readonly { from: string }[],
): { otherVersions?: string[]; original?: string } {
  const moved = new Set(moves.map(({ from }) => from))
  const versions = new Set<string>()
  let original: string | undefined
  for (const path of moved) {
    const page = site.pageFor(path)
    if (page === undefined) continue
    for (const other of site.copiesOf(path)) {
      const copy = site.pageFor(other)
      if (copy === undefined || moved.has(other)) continue
      if (copy.version !== page.version) {
        if (copy.language === page.language) versions.add(other)
      } else if (translationsOf(site, other).includes(path)) original = other
    }
  }
  return {
    ...(versions.size > 0 ? { otherVersions: [...versions].slice(0, mostCopies) } : {}),
    ...(original === undefined ? {} : { original }),
  }
}

const mostCopies = 20

/** Where a translation goes when its original moves; undefined where the paths do not show it. */
export function translatedPath(translation: string, from: string, to: string): string | undefined {
  // a.fr.md of a.md
  const [, stem = '', ending = ''] = /^(.*?)(\.[^./]+)$/.exec(fileName(from)) ?? []
  const [, name = '', language = '', last = ''] =
    /^(.*?)(\.[A-Za-z]{2,3}(?:[-_]\w{2,8})?)(\.[^./]+)$/.exec(fileName(translation)) ?? []
  if (language !== '' && name === stem && last === ending && folderOf(translation) === folderOf(from))
    return to.endsWith(ending) ? `${to.slice(0, -ending.length)}${language}${ending}` : undefined
  const [old, other] = [from.split('/'), translation.split('/')]
  let same = 0
  while (same < Math.min(old.length, other.length) && old.at(-1 - same) === other.at(-1 - same)) same++
  if (same === 0) return undefined
  const lead = old
    .slice(0, -same)
    .map((part) => `${part}/`)
    .join('')
  const otherLead = other
    .slice(0, -same)
    .map((part) => `${part}/`)
    .join('')
  return to.startsWith(lead) ? `${otherLead}${to.slice(lead.length)}` : undefined
}
