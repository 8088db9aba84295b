import type { LinkFormKind } from '../markdown/link-forms.ts'
import { markdownEnding, pageEnding } from '../text/markup.ts'
const machinery = /(?:^|\/)(?:\.[^/]+|node_modules|bower_components|__tests__|__mocks__|__fixtures__)\//
const partial = /(?:^|\/)(?:_[^/]*)\.(?:md|mdx|markdown)$/i

/** Whether a file below `root` may be a page: Markdown outside of hidden folders and those of tools. */
export function isMarkdown(path: string, root: string): boolean {
  return markdownEnding.test(path) && isVisible(path, root)
}

/** Whether a file below `root` is outside of hidden folders and those of tools. */
export function isVisible(path: string, root: string): boolean {
  if (!path.startsWith(root)) return false
  const inside = path.slice(root.length)
  return !machinery.test(inside) && !inside.startsWith('.')
}

/** A file that other pages include: `_intro.mdx`. */
export function isPartial(path: string): boolean {
  return partial.test(path)
}

export function withoutExtension(path: string): string {
  return path.replace(pageEnding, '')
}

/** Whether an address is that of a picture or a film, which builds do not make. */
export function isAsset(url: string): boolean {
  return /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|mp4|webm|mov)$/i.test(url)
}

/** A folder path with a slash at its end, `''` for the repository itself. */
export function folderPath(path: string): string {
  const trimmed = path.replace(/^(?:\.?\/)+/, '').replace(/(?<!\/)\/+$/, '')
  return trimmed === '' || trimmed === '.' ? '' : `${trimmed}/`
}

/** Tests whether the first folder of an address is unknown below `roots`, so that it is on another site. */
export function leadsElsewhere(
  paths: ReadonlySet<string>,
  roots: readonly string[],
): (url: string) => boolean {
  const known = new Set<string>()
  for (const path of paths) {
    for (const root of roots) {
      if (path.startsWith(root)) known.add(path.slice(root.length).split('/', 1)[0] ?? '')
    }
  }
  return (url) => {
    const first = url.split('/', 2)[1] ?? ''
    return first !== '' && ![first, `${first}.md`, `${first}.mdx`].some((name) => known.has(name))
  }
}

const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/** Whether a folder's name is a language tag: `fr`, `zh-cn`, `pt-BR`. */
function isLanguageTag(name: string): boolean {
  if (!/^[a-z]{2}(?:[-_][A-Za-z]{2,4})?$/.test(name)) return false
  try {
    return languages.of(name.replace('_', '-')) !== undefined
  } catch {
    return false
  }
}

/** The folders directly below `root` that hold translations: at least two languages, or one beside pages in `root` itself that it mirrors. */
export function languageFolders(paths: Iterable<string>, root: string): Set<string> {
  const inside = new Set<string>()
  for (const path of paths) if (isMarkdown(path, root)) inside.add(path.slice(root.length))
  const tagged = new Map<string, number>()
  for (const path of inside) {
    const slash = path.indexOf('/')
    const name = slash === -1 ? '' : path.slice(0, slash)
    if (!isLanguageTag(name)) continue
    // `go/` may be no language but the name of a topic, unless the same files are beside it.
    const mirrored = inside.has(path.slice(slash + 1)) || inside.has(`en${path.slice(slash)}`)
    tagged.set(name, (tagged.get(name) ?? 0) + (mirrored ? 1 : 0))
  }
  const translations = new Set<string>()
  for (const [name, mirrored] of tagged) if (mirrored > 0) translations.add(name)
  return translations
}

/** The endings of files in other formats that a link may name as it names pages, by the kind of its form. */
export function otherEndings(kind: LinkFormKind): readonly string[] {
  if (kind === 'document') return ['', '.rst', '.ipynb', '.txt', '.py']
  return kind === 'name' ? ['.html', '/index.html', '/_index.html'] : []
}
