import { keyOf } from '../code-config/resolve.ts'
import type { CodeSite, DocsFolder } from '../code-config/read-navigation.ts'
import type { PageList } from '../code-config/sidebar.ts'
import { objectLike, quoted, usualQuote } from './code-literal.ts'
import { nameLike } from './code-names.ts'
import { type CodePage, isPlain } from './code-place.ts'

const maxTitle = 200

/** A new entry as code, written as the one beside it is; undefined where the list cannot name the page. */
export function entryText(
  page: { path: string; url: string; title: string | undefined; data: Readonly<Record<string, unknown>> },
  { list, like }: { list: PageList; like: CodePage | undefined },
  { code, folder }: { code: CodeSite; folder: DocsFolder | undefined },
): ((indent: string) => string) | undefined {
  const { path, text } = list.script
  const quote = usualQuote(path, text)
  const form = like?.form ?? usualForm[code.framework]
  const model = { text: like?.text ?? '/x', form, base: list.base }
  const bare = { ...model, text: withoutSuffix(model.text) }
  const below = nameLike(page, bare, { code, folder })
  const written =
    below ?? (list.base === '' ? undefined : nameLike(page, { ...bare, base: '' }, { code, folder }))
  if (written === undefined) return undefined
  const source = like === undefined ? quote : like.script.text.slice(like.node.start)
  const name = quoted(written, source)
  if (form !== 'link' && (like === undefined || isPlain(like))) return () => name
  const labelKey = code.framework === 'vitepress' ? 'text' : 'label'
  const nameKey = form === 'id' ? 'id' : form
  const label = quoted(titleOf(page, code), source)
  const sample = like?.holder?.child
  return (indent) => {
    const values = new Map<string, string>()
    const keys = sample?.type === 'ObjectExpression' ? sample.properties : []
    for (const property of keys) {
      const key = property.type === 'Property' ? keyOf(property) : undefined
      if (key === labelKey) values.set(key, label)
      else if (key === nameKey) values.set(key, name)
      else if (key === 'type') values.set(key, quoted('doc', source))
    }
    const key = (plain: string) => (path.endsWith('.json') ? `"${plain}"` : plain)
    // Below another address than its neighbours.
    if (below === undefined)
      return `{ ${key(labelKey)}: ${label}, ${key(nameKey)}: ${name}, ${key('base')}: ${quoted('/', source)} }`
    const made =
      like !== undefined && sample !== undefined && values.has(nameKey)
        ? objectLike(like.script.text, sample, values, indent)
        : undefined
    return made ?? `{ ${key(labelKey)}: ${label}, ${key(nameKey)}: ${name} }`
  }
}

const usualForm = { docusaurus: 'id', vitepress: 'link', starlight: 'slug' } as const

/** A label. VitePress shows it as HTML. */
function titleOf({ title, path }: { title: string | undefined; path: string }, code: CodeSite): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '')
  const text = (title ?? name).replace(/\s+/g, ' ').trim().slice(0, maxTitle)
  if (code.framework !== 'vitepress') return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function withoutSuffix(text: string): string {
  return text.replace(/[?#].*$/s, '')
}
