import { isQuotation, type Masked } from './mask.ts'
import { admonitionKinds, type Place, type Request, type Scope } from './request.ts'
import { pathEnds } from '../../site/text/paths.ts'

/** The parts of a sentence by name: undefined where it does not have them. */
type Parts = Readonly<Record<string, string | undefined>>

/** What the built-in model is asked for, and how: one sentence each. A quotation in it is one character (`mask.ts`). */
interface Form {
  sentence: RegExp
  /** Undefined where a part cannot be read. Nothing is guessed: what is not exactly a request is not understood. */
  read: (parts: Parts, said: Said) => Request | undefined
}

/** The text to add, and what reads the parts. */
interface Said {
  content: string
  masked: Masked
  flags: Record<'code' | 'prose' | 'case' | 'links', boolean>
}

const forms: readonly Form[] = [
  {
    sentence: /^(?:help|what can you do\??)$/iu,
    read: () => ({ kind: 'help' }),
  },

  // Replace
  {
    sentence:
      /^replace (?<from>\p{Co}|[^\s\p{Co}]+) with (?<to>\p{Co}|[^\s\p{Co}]+)(?<links> in (?:all )?links)?(?<where> .+)?$/iu,
    read: ({ from, to, links, where }, { masked, flags }) => {
      const [old, next, scope] = [textOf(from, masked), textOf(to, masked), scopeOf(where, masked)]
      if (old === undefined || next === undefined || scope === undefined) return undefined
      if (links !== undefined) return { kind: 'relink', from: old, to: next, code: flags.code, scope }
      const isCode = flags.code || masked.restore(from ?? '').startsWith('`')
      return {
        kind: 'replace',
        from: old,
        to: next,
        exact: isQuotation(from),
        ignoreCase: flags.case,
        code: flags.prose ? false : isCode ? true : undefined,
        links: flags.links,
        near: undefined,
        inNames: flags.code,
        scope,
      }
    },
  },
  {
    sentence:
      /^change the (?:[\w-]+ ){0,3}?(?<near>[\w-]+) from (?<from>\d[\d.,]*)(?<unit> ?[a-z%]{1,20})? to (?<to>\d[\d.,]*)(?<same> ?(?!(?:in|on|everywhere)\b)[a-z%]{1,20})?(?<where> .+)?$/iu,
    read: ({ near = '', from = '', unit, to = '', same = '', where }, { masked, flags }) => {
      const scope = scopeOf(where, masked)
      const isOther = unit !== undefined && unit !== same
      if (scope === undefined || isOther || near.toLowerCase() === 'version') return undefined
      return {
        kind: 'replace',
        from: from + same,
        to: to + same,
        exact: false,
        ignoreCase: false,
        code: !flags.prose,
        links: true,
        near: near.toLowerCase(),
        inNames: false,
        scope,
      }
    },
  },
  {
    sentence:
      /^use (?<term>\p{Co}|[^\s\p{Co}]+) instead of (?<list>\p{Co}(?:, ?\p{Co}){0,50}|[^\s\p{Co}]+)(?<where> .+)?$/iu,
    read: ({ term, list = '', where }, { masked }) => {
      const [right, scope] = [textOf(term, masked), scopeOf(where, masked)]
      const variants = list.split(/, ?/).map((one) => textOf(one, masked))
      const known = variants.filter((one) => one !== undefined)
      if (right === undefined || scope === undefined || known.length < variants.length) return undefined
      return { kind: 'terms', rules: [{ term: right, variants: known }], file: undefined, scope }
    },
  },
  {
    sentence:
      /^(?:apply the glossary|normali[sz]e terms using (?<file>\p{Co}|[^\s\p{Co}]+))(?<where> .+)?$/iu,
    read: ({ file, where }, { masked }) => {
      const scope = scopeOf(where, masked)
      return scope && { kind: 'terms', rules: [], file: file && masked.valueOf(file), scope }
    },
  },

  // Update
  {
    sentence:
      /^(?:update|bump) (?:the )?(?<minimum>minimum )?(?<product>[\w.+#@/-]+)(?: version)?(?: from v?(?<from>\d[\d.x]*))? to v?(?<to>\d[\d.]*)(?<where> .+)?$/iu,
    read: ({ minimum, product = '', from, to = '', where }, { masked }) => {
      const scope = scopeOf(where, masked)
      if (scope === undefined || noProduct.test(product) || /\.$|\.\./.test(to)) return undefined
      return { kind: 'version', product, from, to, minimum: minimum !== undefined, scope }
    },
  },

  // Fix
  {
    sentence: /^fix (?:all |the )?(?:broken )?(?:links|(?<anchor>anchors)|(?<image>images))(?<where> .+)?$/iu,
    read: ({ anchor, image, where }, { masked }) => {
      const scope = scopeOf(where, masked)
      return scope && { kind: 'links', only: anchor ? 'anchor' : image ? 'image' : undefined, scope }
    },
  },
  {
    sentence: /^fix (?:the |common )?typos(?<where> .+)?$/iu,
    read: ({ where }, { masked }) => {
      const scope = scopeOf(where, masked)
      return scope && { kind: 'typos', scope }
    },
  },
  {
    sentence: /^add (?:the )?missing (?:descriptions|(?<title>titles))(?<where> .+)?$/iu,
    read: ({ title, where }, { masked }) => {
      const scope = scopeOf(where, masked)
      return scope && { kind: 'add missing', field: title ? 'title' : 'description', scope }
    },
  },

  // Move, rename, describe, delete
  {
    sentence: /^move (?<page>.+?) to (?<to>\p{Co}|[^\s\p{Co}]*[/.][^\s\p{Co}]*)$/iu,
    read: ({ page, to = '' }, { masked }) => {
      const [named, path] = [pageOf(page, masked), masked.valueOf(to)]
      if (named === undefined || !/^\S*[/.]\S*$/.test(path)) return undefined
      // `2.collections` is a folder.
      return { kind: 'move', page: named, to: path.includes('/') || isFile.test(path) ? path : `${path}/` }
    },
  },
  {
    sentence:
      /^(?:rename|change the title of) (?<page>.+?) to (?<title>\p{Co}|[^\s\p{Co}]+)(?<file> and its file)?$/iu,
    read: ({ page, title, file }, { masked }) => {
      const [named, text] = [pageOf(page, masked), textOf(title, masked)]
      const isPath = !isQuotation(title) && /\/|\.\w+$/.test(text ?? '')
      if (named === undefined || text === undefined || isPath) return undefined
      return { kind: 'rename', page: named, title: text, file: file !== undefined }
    },
  },
  {
    sentence: /^(?:set|change) the description of (?<page>.+?) to (?<text>\p{Co})$/iu,
    read: ({ page, text = '' }, { masked }) => {
      const named = pageOf(page, masked)
      return named === undefined
        ? undefined
        : { kind: 'describe', page: named, description: masked.valueOf(text) }
    },
  },
  {
    sentence: /^(?:delete|remove) (?<page>.+)$/iu,
    read: ({ page }, { masked }) => {
      // "Delete "some text"" may be about a text.
      const named = isQuotation(page) ? undefined : pageOf(page, masked)
      return named === undefined ? undefined : { kind: 'delete', page: named }
    },
  },

  // Add
  {
    sentence:
      /^add a page (?:(?<path>[^\s\p{Co}]+) titled (?<titled>\p{Co}|[^\s\p{Co}]+)|about (?<about>[^\p{Co}]+?)|(?<title>\p{Co}|[^\s\p{Co}]+))(?: (?:to|in) the group (?<group>\p{Co})| (?:to|in) (?<folder>[^\s\p{Co}]+\/)| after (?<after>.+))?$/iu,
    read: ({ path, titled, about, title, group, folder, after }, { content, masked }) => {
      const page = after && pageOf(after, masked)
      const text = titled ?? title
      const named = about === undefined ? textOf(text, masked) : topicOf(about)
      if (named === undefined || (after !== undefined && page === undefined)) return undefined
      if (path !== undefined && !isFile.test(path)) return undefined
      const isPath = text !== undefined && isFile.test(named)
      return {
        kind: 'add page',
        title: isPath ? '' : named,
        path: isPath ? named : path,
        group: group && masked.valueOf(group),
        folder,
        after: page,
        content,
      }
    },
  },
  {
    sentence:
      /^add (?:an? (?:(?<box>note|tip|warning|info|caution|danger|important)|(?<paragraph>paragraph)|section (?<heading>\p{Co}|[^\s\p{Co}]+)))(?<place> at the (?:top|end)| (?:under|after|before) the heading \p{Co})? (?:to|of) (?<page>.+?)$/iu,
    read: ({ box, paragraph, heading, place, page }, { content, masked }) => {
      const named = pageOf(page, masked)
      const text = textOf(heading, masked)
      if (named === undefined) return undefined
      const where = { page: named, place: placeOf(place, masked), content }
      const kind = admonitionKinds.find((one) => one === box?.toLowerCase())
      if (kind !== undefined) return { kind: 'add note', admonition: kind, ...where }
      if (paragraph !== undefined) return { kind: 'add paragraph', ...where }
      return text === undefined ? undefined : { kind: 'add section', heading: text, ...where }
    },
  },
]

const noProduct = /^(?:docs|port|timeout|limit|number|size|year|date|price|version|it)$/i
const isFile = /\.(?:mdx?|markdown|mdoc|rst|adoc)$/i

/** The most characters of a request's own words; a longer text was not written as a request. */
const longestHead = 600

/** Reads one sentence, and the text that it is about to add. */
export function readRequest(sentence: string, content: string, masked: Masked): Request | undefined {
  const plain = sentence
    .replace(/\s+/gu, ' ')
    .trim()
    .slice(0, longestHead + 1)
  if (plain.length > longestHead) return undefined
  const { head, flags } = takeFlags(placeLast(plain.replace(/(?:,? please)?[.!?]?$/i, '')))
  const takesText = /^add an? /i.test(head)
  if (content !== '' && !takesText) return undefined
  for (const { sentence: form, read } of forms) {
    const match = form.exec(head)
    const request = match && read({ ...match.groups }, { content, masked, flags })
    if (request) return flagsFit(request, flags) ? request : undefined
  }
  return undefined
}

/** `In the page "x", replace …`, as the page of new jobs begins it. */
function placeLast(head: string): string {
  return head.replace(/^(in the page \p{Co}), ([^\p{Co}].*)$/iu, '$2 $1')
}

const options = {
  code: /,? (?:and |also )?(?:including code(?: blocks)?|in code too)$/i,
  prose: /,? (?:but )?not in code$/i,
  case: /,? ignoring case$/i,
  links: /,? (?:and |also )(?:including|in) links$/i,
}

function takeFlags(head: string): { head: string; flags: Said['flags'] } {
  const flags = { code: false, prose: false, case: false, links: false }
  let rest = head
  for (let times = 0; times < 3; times++)
    for (const name of ['code', 'prose', 'case', 'links'] as const) {
      const shorter = rest.replace(options[name], '')
      flags[name] ||= shorter !== rest
      rest = shorter
    }
  return { head: rest, flags }
}

/** Options that a request does not have would be lost. */
function flagsFit({ kind }: Request, { code, prose, case: ignoreCase, links }: Said['flags']): boolean {
  if (kind === 'replace') return true
  return !prose && !ignoreCase && !links && (!code || kind === 'relink')
}

/** A text: a quotation, or one word that is a name, a path or a number. Other words may describe the work. */
function textOf(said: string | undefined, masked: Masked): string | undefined {
  if (said === undefined) return undefined
  const text = isQuotation(said) ? masked.valueOf(said) : said.replace(/[,;]$/, '')
  return isQuotation(said) || /[\p{Lu}\d]|[^\p{L}\s-]/u.test(text) ? text : undefined
}

function topicOf(said: string): string | undefined {
  const isShort = said.split(' ').length <= 6 && !conditions.test(said) && !/[,;:]/.test(said)
  return isShort ? said.charAt(0).toUpperCase() + said.slice(1) : undefined
}

/** What would make a part of a request more than a name. */
const conditions =
  /\b(?:except|unless|excluding|but|if|only|not|never|because|so|whether|since|while|until|instead|and|or|then|about|all|every|any|from|to|in|with)\b/i

/** A page as somebody names it: `guides/x.md`, `"Setup"`, `the page "Setup"`, `the setup page`. */
function pageOf(said: string | undefined, masked: Masked): string | undefined {
  const name = said?.trim() ?? ''
  const quoted = /^(?:(?:the )?page )?(\p{Co})$/iu.exec(name)?.[1]
  if (quoted !== undefined) return masked.valueOf(quoted)
  if (/^[^\s\p{Co}]*[/.][^\s\p{Co}]*$/u.test(name)) return name.replace(/[,;:]$/, '')
  const words = /^the ([^\s\p{Co}]+(?: [^\s\p{Co}]+){0,4}) page$/iu.exec(name)?.[1]
  return words === undefined || conditions.test(words) ? undefined : words
}

/** `in guides/`, `in the quickstart page`, `everywhere`; without a place it is everywhere. */
function scopeOf(said: string | undefined, masked: Masked): Scope | undefined {
  const where = said?.trim() ?? ''
  if (where === '' || /^everywhere$/i.test(where)) return { kind: 'everywhere' }
  const place = /^(?:in|on) (.+)$/iu.exec(where)?.[1]
  const named = place === undefined ? undefined : pageOf(place, masked)
  if (named === undefined) return undefined
  const isFolder = /^[^\s]*\/$/.test(named)
  return isFolder ? { kind: 'folder', path: named.replace(pathEnds, '') } : { kind: 'page', named }
}

function placeOf(said: string | undefined, masked: Masked): Place {
  const [, at, heading] = /^ (under|after|before) the heading (\p{Co})$/iu.exec(said ?? '') ?? []
  if (at === undefined || heading === undefined) return { at: said === ' at the top' ? 'start' : 'end' }
  const places = { under: 'under', after: 'after', before: 'before' } as const
  return { at: places[at.toLowerCase() as keyof typeof places], heading: masked.valueOf(heading) }
}
