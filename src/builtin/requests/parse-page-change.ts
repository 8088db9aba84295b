import { firstMatch, headOf, isQuotation } from './head.ts'
import type { Masked } from './mask.ts'
import { quotation } from './mask.ts'
import type { Request } from './request.ts'

const name = `(${quotation}|[^\\uE000\\uE001\\n]{1,200}?)`
/** A page as people name it, with the words around the name inside; `find-page` takes them off. */
const page = `((?:[^\\uE000\\uE001\\n]{0,60}?\\s)?${quotation}(?:\\s(?:page|file|document|article|guide))?|[^\\uE000\\uE001\\n]{1,200}?)`
const kind = `(?:(?:page|file|document|article|guide|doc)\\s+)`
const title = `(?:page )?(?:titles?|headings? title|page heading)`
const description = `(?:meta |page |seo |front ?matter )*descriptions?`

const fileToo =
  /,?\s+(?:and|along with|together with|including|with)\s+(?:also\s+)?(?:(?:rename|move|change|update)\s+)?(?:its|the)\s+(?:file(?: ?name)?|path|slug|url|address)(?:\s+(?:too|as well|accordingly|to match))*$/i

const moves = compile([
  `(?:move|relocate|rename)\\s+(?:the\\s+)?${kind}?${page}\\s+(?:to|into|under|->|→|=>)\\s+${name}`,
])
const renames = compile([
  `(?:rename|retitle)\\s+(?:the\\s+)?${kind}${page}\\s+(?:to|as|->|→|=>)\\s+${name}`,
  `(?:rename|retitle)\\s+(?:the\\s+)?${page}\\s+(?:page|article|document|guide|doc)\\s+(?:to|as|->|→|=>)\\s+${name}`,
  `retitle\\s+${page}\\s+(?:to|as|->|→|=>)\\s+${name}`,
])
const titles = compile([
  `(?:change|set|update|make|edit|rename|replace|switch)\\s+(?:the\\s+)?${title}\\s+(?:of|for|on|in)\\s+${page}\\s+(?:to|into|as|with|->|→|=>|:)\\s*${name}`,
  `(?:change|set|update|make|edit|rename)\\s+(?:the\\s+)?${page}(?:['’]s)?\\s+${title}\\s+(?:to|into|as|->|→|=>)\\s+${name}`,
  `(?:give|set)\\s+${page}\\s+(?:the|a(?: new)?)\\s+title\\s+(?:of\\s+)?${name}`,
  `add\\s+(?:the|a)\\s+title\\s+${name}\\s+(?:to|for)\\s+${page}`,
  `add\\s+(?:the|a)\\s+title\\s+(?:to|for)\\s+${page}\\s*:\\s*${name}`,
])
const describes = compile([
  `(?:change|set|update|make|edit|replace|rewrite)\\s+(?:the\\s+)?${description}\\s+(?:of|for|on|in)\\s+${page}\\s+(?:to|into|as|with|->|→|=>|to say|to read)\\s*:?\\s*${name}`,
  `(?:change|set|update|edit|replace)\\s+(?:the\\s+)?${page}(?:['’]s)?\\s+${description}\\s+(?:to|into|as|with|->|→|=>)\\s*:?\\s*${name}`,
  `(?:add|write|set|put|give|insert|change|update)\\s+(?:a|the)\\s+${description}\\s+(?:to|for|on|of|in)\\s+${page}\\s*(?::|saying|that says|with the text|reading)\\s*${name}`,
  `give\\s+${page}\\s+(?:the|a(?: new)?)\\s+${description}\\s*:?\\s*${name}`,
])
const describesTurned = compile([
  `(?:add|write|set|put|use)\\s+(?:the\\s+|a\\s+)?${description}\\s+(${quotation})\\s+(?:to|for|on|of|in|as)\\s+${page}`,
])
const describesItself = compile([
  `(?:add|write|create|generate)\\s+(?:a|the|a missing|the missing)\\s+${description}\\s+(?:to|for|on|in)\\s+${page}`,
])
const deletes = compile([
  `(?:delete|remove|drop)\\s+(?:the\\s+)?${kind}${page}`,
  `(?:delete|remove|drop)\\s+(?:the\\s+)?${page}\\s+(?:page|article|document|file|guide|doc)`,
  `(?:delete|remove|drop)\\s+([^\\s\\uE000\\uE001]{1,300}\\.(?:md|mdx|markdown))`,
  `(?:delete|remove|drop)\\s+(${quotation})`,
])
const pathLike = /^[^\s]*\.(?:md|mdx|markdown)$|^[^\s/]*\/[^\s]*$/i

/** Move, rename, delete, and the title or description of one page. */
export function parsePageChange(piece: string, masked: Masked): Request | undefined {
  const head = headOf(piece)
  if (head === undefined) return undefined
  const text = (said: string | undefined) => masked.restore(said ?? '').trim()
  const value = (said: string | undefined) => masked.valueOf(said ?? '')
  return (
    parseTitleOrDescription(head, text, value) ?? parseMove(head, text, value) ?? parseDelete(head, masked)
  )
}

type Read = (said: string | undefined) => string

function parseTitleOrDescription(head: string, text: Read, value: Read): Request | undefined {
  const described = firstMatch(describes, head)
  if (described && !/^(?:all|every|each)\b/i.test(text(described[1]))) {
    return { kind: 'describe', page: text(described[1]), description: value(described[2]) }
  }
  const turned = firstMatch(describesTurned, head)
  if (turned) return { kind: 'describe', page: text(turned[2]), description: value(turned[1]) }
  const itself = firstMatch(describesItself, head)
  if (itself && !/^(?:(?:all|every|each|any)\b|(?:the )?pages\b)/i.test(text(itself[1]))) {
    return { kind: 'describe', page: text(itself[1]), description: undefined }
  }
  const titled = firstMatch(titles, head)
  if (!titled) return undefined
  const [page, title] = /^add\s+\S+\s+title\s+(?!(?:to|for)\b)/i.test(head)
    ? [titled[2], titled[1]]
    : [titled[1], titled[2]]
  return { kind: 'rename', page: text(page), title: value(title), file: false, navigation: true }
}

function parseMove(head: string, text: Read, value: Read): Request | undefined {
  const short = head.replace(fileToo, '')
  const file = short !== head
  const moved = firstMatch(moves, short)
  if (moved) {
    const to = value(moved[2])
      .replace(/^(?:the\s+)?(\S+)\s+(?:folder|directory)$/i, '$1/')
      .replace(/^(?:the\s+)?(?:folder|directory)\s+(\S+)$/i, '$1/')
    const isMove = /^(?:move|relocate)\b/i.test(short)
    const bare = text(moved[1])
    if (pathLike.test(to) && (isMove || pathLike.test(bare) || /\.mdx?$/i.test(to))) {
      return { kind: 'move', page: bare, to }
    }
    if (isMove && /^\S+$/.test(to) && !isQuotation(moved[2] ?? ''))
      return { kind: 'move', page: bare, to: `${to}/` }
  }
  const renamed = firstMatch(renames, short)
  if (!renamed) return undefined
  return { kind: 'rename', page: text(renamed[1]), title: value(renamed[2]), file, navigation: true }
}

function parseDelete(head: string, masked: Masked): Request | undefined {
  const plain = head.replace(
    /,?\s+(?:and|with|including)\s+(?:all\s+)?(?:the\s+|its\s+)?(?:links? to it|navigation entry|inbound links?)$/i,
    '',
  )
  const deleted = firstMatch(deletes, plain)
  if (!deleted) return undefined
  const said = deleted[1] ?? ''
  // `Delete "some text" from …` is about a text.
  if (/\bfrom\b/i.test(said) || /^(?:all|every|any|unused|old|empty)\b.*s$/i.test(said.trim()))
    return undefined
  return { kind: 'delete', page: masked.restore(said).trim() }
}

function compile(forms: readonly string[]): RegExp[] {
  return forms.map((form) => new RegExp(`^${form}$`, 'i'))
}
