import { type OpeningTag, readTags } from './read-tags.ts'

const maxList = 20_000
const maxRead = 10_000_000

/**
 * Lists of attributes behind an element, `{: .class onclick="…"}`, read as tags. Whether a colon belongs to the first name
 * depends on who reads it. Undefined for text that is made to take long.
 */
export function attributeLists(text: string): OpeningTag[] | undefined {
  const lists: OpeningTag[] = []
  let left = maxRead
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1)) {
    const rest = text.slice(at + 1, at + 1 + maxList)
    const end = endOfList(rest)
    left -= end
    if (left < 0) return undefined
    if (rest[end] !== '}') continue
    const list = withoutLone(rest.slice(0, end))
    for (const one of new Set([list, list.replace(/^:/, '')])) {
      const [tag] = readTags(`<p ${one}>`, { braces: false }) ?? []
      // What only separates is no name.
      const attributes =
        tag?.attributes.filter(({ name, value }) => value !== undefined || /\w/.test(name)) ?? []
      if (tag !== undefined)
        lists.push({
          ...tag,
          attributes: attributes.map((some) => ({ ...some, at })),
          start: at,
          end: at + end,
        })
    }
  }
  return lists
}

/** The first brace that is in no quotes, or the end of the paragraph. */
function endOfList(text: string): number {
  // A quote that nobody closes is only a sign.
  const lone = new Set<string>()
  let at = 0
  for (; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '{' || character === '}') break
    if (character === '\n' && /^\n[ \t]*\n/.test(text.slice(at, at + 100))) break
    if ((character !== '"' && character !== "'") || lone.has(character)) continue
    const close = text.indexOf(character, at + 1)
    if (close === -1) lone.add(character)
    else at = close
  }
  return at
}

/** A quote that has no other takes nothing in. */
function withoutLone(list: string): string {
  return ['"', "'"].reduce((text, quote) => {
    const last = text.lastIndexOf(quote)
    return text.split(quote).length % 2 === 1 ? text : `${text.slice(0, last)}_${text.slice(last + 1)}`
  }, list)
}
