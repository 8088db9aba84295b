import type { ActivePart } from './active-part.ts'
import { firstLine, shown, squeezed } from './active-part.ts'
import { expressionParts } from './program-parts.ts'
import type { OpeningTag } from './read-tags.ts'

type Part = Omit<ActivePart, 'line'> & { at: number }

const tag = /\{\{[<%]?([^{}\n]{0,2000})|\{%-?([^%\n]{0,2000})/g
/** A call by name with plain arguments: `{{< note title="x" >}}`, `{% include "x" %}`, `{{ page.title }}`. */
const plain =
  /^\s*\/?\s*([\w.:-]{1,100})((?:\s+(?:[\w-]+\s*=\s*)?(?:"[^"]*"|'[^']*'|[\w./#-]+))*)\s*\/?[%>-]?\s*$/

/** Calls of a template language that runs over the page before it is Markdown. Ones that only differ in plain arguments are the same. */
export function templateParts(text: string): Part[] {
  return [...text.matchAll(tag)].map((match) => {
    const [whole, mustache, statement] = match
    const inner = (mustache ?? statement ?? '').replace(/[%>-]$/, '')
    const name = /[()|[\]]|__/.test(inner) ? undefined : plain.exec(inner)?.[1]
    const opening = whole.slice(0, whole.indexOf(inner.slice(0, 1), 2) + 1)
    return {
      key: `template ${name ?? squeezed(whole)}`,
      what: `a call of the site's templates that no page makes: ${shown(whole)}`,
      search: name ?? firstLine(opening.length > 2 ? whole : inner),
      at: match.index,
    }
  })
}

/** Expressions between `{{` and `}}` in a page that is a Vue template. */
export async function mustacheParts(text: string): Promise<Part[]> {
  const parts: Part[] = []
  for (const match of text.matchAll(/\{\{((?:[^}]|\}(?!\})){0,2000})\}\}/g)) {
    const found = await expressionParts(`{${match[1] ?? ''}}`, match.index, { bound: ofPage })
    parts.push(...found)
  }
  return parts
}

/** Expressions in the directives of a Vue template: `:src`, `v-if`. */
export async function directiveParts(tags: readonly OpeningTag[]): Promise<Part[]> {
  const parts: Part[] = []
  for (const { attributes } of tags) {
    for (const { name, value, at } of attributes) {
      const directive = /^(?:v-(?:bind)?[\w-]*:?|[:.])([\w-]*)/.exec(name)
      if (directive === null || value === undefined || value.trim() === '') continue
      parts.push(...(await expressionParts(`{${value}}`, at, { bound: ofPage, name: directive[1] ?? '' })))
    }
  }
  return parts
}

const ofPage = new Set(['$frontmatter', '$params'])
