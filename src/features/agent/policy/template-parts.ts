import type { ActivePart } from './active-part.ts'
import { firstLine, shown, squeezed } from './active-part.ts'
import { hostsOf } from './address.ts'
import { decodeEntities } from './decode-entities.ts'
import { type Bound, expressionParts } from './program-parts.ts'
import type { OpeningTag } from './read-tags.ts'
import { imagePart } from './tag-parts.ts'

type Part = Omit<ActivePart, 'line'> & { at: number }

const tag = /\{\{[<%]?([^{}]{0,2000})|\{%-?([^%]{0,2000})/g
/** What a call is given: `name="value"` or `"value"`. */
const given = /(?:([\w-]{1,50})[ \t]*[=:][ \t]*)?["'`]([^"'`\n]{1,2000})["'`]/g
/** A call by name with plain arguments: `{{< note title="x" >}}`, `{% include "x" %}`, `{{ page.title }}`. */
const plain =
  /^\s*(?:\/\s*)?([\w.:-]{1,100})((?:\s+(?:[\w-]+\s*=\s*)?(?:"[^"]*"|'[^']*'|[\w./#-]+))*)\s*(?:\/[%>-]?\s*|[%>-]\s*)?$/

/** Calls of a template language that runs over the page before it is Markdown. Ones that only differ in plain arguments are the same. */
export function templateParts(text: string): Part[] {
  const isShown = rawTest(text)
  return [...text.matchAll(tag)].flatMap((match) => {
    const [whole, mustache, statement] = match
    const inner = (mustache ?? statement ?? '').replace(/[%>-]$/, '')
    const name = /[()|[\]]|__/.test(inner) ? undefined : plain.exec(inner)?.[1]
    const opening = whole.slice(0, whole.indexOf(inner.slice(0, 1), 2) + 1)
    const call = {
      key: `template ${name ?? squeezed(whole)}`,
      what: `a call of the site's templates that no page makes: ${shown(whole)}`,
      search: name ?? firstLine(opening.length > 2 ? whole : inner),
      at: match.index,
      ...(isShown(match.index) && { isAsleep: true }),
    }
    const hosts = [...inner.matchAll(given)].flatMap(([, field = '', value = '']) =>
      /^(?:href|link|relref|ref|alt|title|caption|text|attrlink)$/i.test(field) ? [] : hostsOf(value),
    )
    return [call, ...hosts.map((host) => imagePart(host, match.index))]
  })
}

/** Whether an offset lies between `{% raw %}` and its end; for offsets that grow. In comments neither would count. */
function rawTest(text: string): (at: number) => boolean {
  const end = /\{%-?\s{0,20}endraw\b/g
  const ranges: number[] = []
  if (!text.includes('{#'))
    for (const { index } of text.matchAll(/\{%-?\s{0,20}raw\s{0,20}-?%\}/g)) {
      if (index < (ranges.at(-1) ?? 0)) continue
      end.lastIndex = index
      const stop = end.exec(text)?.index
      if (stop === undefined) break
      ranges.push(index + 1, stop)
    }
  let next = 0
  return (at) => {
    while ((ranges[next] ?? Infinity) <= at) next++
    return next % 2 === 1
  }
}

/** Expressions between `{{` and `}}` in a page that is a Vue template. */
export async function mustacheParts(text: string): Promise<Part[]> {
  const parts: Part[] = []
  for (let at = text.indexOf('{{'); at !== -1;) {
    const close = text.indexOf('}}', at + 2)
    if (close === -1) break
    parts.push(...(await expressionParts(`{${text.slice(at + 2, close)}}`, at, { bound: ofPage })))
    at = text.indexOf('{{', close + 2)
  }
  return parts
}

/** Those that Markdown makes: it takes escapes and references for the braces that they stand for. */
export async function hiddenMustacheParts(text: string): Promise<Part[]> {
  const plain = decodeEntities(text).replaceAll(/\\([{}])/g, '$1')
  return plain === text ? [] : mustacheParts(plain)
}

/** Expressions in the directives of a Vue template: `:src`, `v-if`. */
export async function directiveParts(tags: readonly OpeningTag[]): Promise<Part[]> {
  const parts: Part[] = []
  for (const { attributes } of tags) {
    for (const { name, value, at } of attributes) {
      const directive = /^(?:v-(?:bind)?[\w-]*:?|[:.#])([\w-]*)/.exec(name)
      if (directive === null || value === undefined || value.trim() === '') continue
      parts.push(...(await expressionParts(`{${value}}`, at, { bound: ofPage, name: directive[1] ?? '' })))
    }
  }
  return parts
}

const ofPage: Bound = new Map([
  ['$frontmatter', 'data'],
  ['$params', 'data'],
])
