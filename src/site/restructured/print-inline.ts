import { code, escaped, link } from '../markdown/write-text.ts'
import type { Document } from './document.ts'
import { joined, roleText } from './document.ts'
import { nameKey } from './explicit.ts'
import { type Inline, readInline, unescaped } from './inline.ts'
import type { Lines } from './blocks.ts'
import type { Place, References } from './references.ts'
import type { RestructuredSettings } from './settings.ts'

/** What a page is printed with. */
export interface PrintContext {
  path: string
  document: Document
  references: References
  settings: RestructuredSettings
  /** The address of a page, by the path of its file. */
  urlOf: (path: string) => string | undefined
  /** The page that a document's name means. */
  documentOf: (name: string) => string | undefined
  /** References without a name, in order. */
  anonymous: { next: number }
}

const maxDepth = 5

/** Running text as Markdown. */
export function printInline(lines: Lines, context: PrintContext): string {
  return printPieces(context.document.inline(lines), context, 0)
}

export function printText(text: string, context: PrintContext, depth = 0): string {
  return printPieces(readInline(text), context, depth)
}

function printPieces(pieces: readonly Inline[], context: PrintContext, depth: number): string {
  return pieces.map((piece) => printPiece(piece, context, depth)).join('')
}

function printPiece(piece: Inline, context: PrintContext, depth: number): string {
  switch (piece.kind) {
    case 'text':
      return escaped(piece.text)
    case 'emphasis':
      return `*${escaped(piece.text)}*`
    case 'strong':
      return `**${escaped(piece.text)}**`
    case 'literal':
      return code(piece.text)
    case 'target':
      return `{#${context.document.targets.get(nameKey(piece.text))?.id ?? ''}} ${escaped(piece.text)}`.replace(
        '{#} ',
        '',
      )
    case 'footnote':
      return `[^${piece.label.replace(/^#$/, '')}]`.replace('[^]', '').replace('[^*]', '')
    case 'substitution':
      return printSubstitution(piece.name, context, depth)
    case 'reference':
      return printReference(piece, context)
    default:
      return printRole(piece, context)
  }
}

function printSubstitution(name: string, context: PrintContext, depth: number): string {
  const { document, settings } = context
  const definition =
    document.substitutions.get(name) ??
    [...document.substitutions].find(([own]) => own.toLowerCase() === name.toLowerCase())?.[1]
  if (definition === undefined) return escaped(settings.values.get(name) ?? `|${name}|`)
  if (definition.name === 'replace' && depth < maxDepth)
    return printText(
      [joined(definition.argument), joined(definition.content)].join(' ').trim(),
      context,
      depth + 1,
    )
  if (definition.name === 'image') {
    const alt = definition.options.get('alt')?.value ?? ''
    return alt === ''
      ? ''
      : `![${escaped(alt)}](${joined(definition.argument)
          .trim()
          .replaceAll(/[\s()<>]/g, '')})`
  }
  if (definition.name === 'unicode')
    return joined(definition.argument)
      .split(/\s+/)
      .filter((_, at, all) => !all.slice(0, at + 1).includes('..'))
      .map((one) => {
        const [, hex] = /^(?:0x|U\+|\\x|\\u|x|u|&#x)([\da-f]{1,6});?$/i.exec(one) ?? []
        const number =
          hex === undefined ? (/^\d{1,7}$/.test(one) ? Number(one) : undefined) : parseInt(hex, 16)
        return number === undefined ? escaped(one) : number < 0x110000 ? String.fromCodePoint(number) : ''
      })
      .join('')
  return ''
}

function printReference(piece: Extract<Inline, { kind: 'reference' }>, context: PrintContext): string {
  const { document } = context
  const text = escaped(piece.text)
  if (piece.isAnonymous && piece.uri === undefined) {
    const uri = document.anonymous[context.anonymous.next++]
    return uri === undefined ? text : toAddress(text, uri, context)
  }
  if (piece.uri !== undefined) return toAddress(text, piece.uri, context)
  const name = nameKey(piece.text)
  const uri = document.addresses.get(name)
  if (uri !== undefined) return toAddress(text, uri, context)
  const target = document.targets.get(name)
  if (target !== undefined) return link(text, `#${target.id}`)
  return piece.start === piece.uriAt &&
    piece.uri === undefined &&
    piece.end - piece.start === piece.text.length + 1
    ? `${text}${/^[\w.-]+$/.test(piece.text) ? '\\_' : ''}`
    : text
}

/** Of names that lead to other names the address that the last one has. */
function toAddress(text: string, uri: string, { document }: PrintContext): string {
  let address = uri
  for (let hops = 0; hops < 5 && /(?<!\\)_$/.test(address); hops++) {
    const name = nameKey(address.slice(0, -1).replace(/^`|`$/g, ''))
    const next = document.addresses.get(name)
    const target = document.targets.get(name)
    if (next === undefined) return target === undefined ? text : link(text, `#${target.id}`)
    address = next
  }
  if (/^(?:javascript|data|vbscript):/i.test(address.replace(/[\s\p{Cc}]/gu, ''))) return text
  return link(text, address.replaceAll('\\_', '_'))
}

const codeRoles =
  /^(?:py:|c:|cpp:|js:|rst:|http:)?(?:class|meth|func|mod|attr|exc|data|obj|const|macro|type|member|var|enum|enumerator|struct|function|method|attribute|module|expr|texpr|dir|prop|deco)$|^(?:code|literal|samp|file|envvar|option|kbd|keyword|makevar|regexp|token|mimetype|newsgroup|setting|signal|reqmeta|confval|command|std:option|std:envvar|std:token)$/
const strongRoles =
  /^(?:program|strong|guilabel|menuselection|manpage|dfn|mailheader|emphasis|title-reference|title|t|cite)$/

function printRole(piece: Extract<Inline, { kind: 'role' }>, context: PrintContext): string {
  const { settings, references } = context
  const name = (piece.name === '' ? (settings.defaultRole ?? 'emphasis') : piece.name).replace(/^std:/, '')
  const raw = unescaped(piece.text)
  const open = raw.endsWith('>') ? raw.lastIndexOf('<') : -1
  const isTitled = open > 0
  const target = (isTitled ? raw.slice(open + 1, -1) : raw).replace(/\s+/g, ' ').trim()
  const words = roleText(raw)
  if (name === 'ref' || name === 'numref') {
    const place = context.document.targets.get(nameKey(target))
    const aim =
      references.label(target) ?? (place === undefined ? undefined : { path: context.path, ...place })
    return toPlace(isTitled ? escaped(words) : escaped(aim?.title ?? target), aim, context)
  }
  if (name === 'doc') {
    const path = context.documentOf(target)
    const title = path === undefined ? undefined : references.titleOf(path)
    return toPlace(
      isTitled ? escaped(words) : escaped(title ?? target),
      path === undefined ? undefined : { path, id: '', title },
      context,
    )
  }
  if (name === 'term') return toPlace(escaped(words), references.term(target), context)
  if (name === 'any') {
    const aim = references.label(target) ?? references.object(target) ?? references.term(target)
    return toPlace(escaped(isTitled ? words : (aim?.title ?? target)), aim, context)
  }
  const external = settings.links.get(name)
  if (external !== undefined) {
    const caption = isTitled ? words : (external.shown ?? external.address).replace('%s', target)
    return link(escaped(caption), external.address.replace('%s', target))
  }
  if (name === 'pep' || name === 'rfc') {
    const [number = '', fragment] = target.split('#')
    const address =
      name === 'pep'
        ? `https://peps.python.org/pep-${number.padStart(4, '0')}/`
        : `https://datatracker.ietf.org/doc/html/rfc${number}`
    const text = isTitled
      ? words
      : `${name.toUpperCase()} ${number}${fragment === undefined ? '' : `#${fragment}`}`
    return link(escaped(text), address)
  }
  if (name === 'abbr')
    return escaped(words.endsWith(')') ? words.slice(0, Math.max(0, words.lastIndexOf('('))).trim() : words)
  if (name === 'math') return `$${raw.trim()}$`
  if (name === 'index' || name === 'raw-html' || name === 'raw') return name === 'index' ? escaped(words) : ''
  if (name === 'menuselection') return `**${escaped(words.replaceAll('-->', '‣').replaceAll('&', ''))}**`
  if (name === 'guilabel') return `**${escaped(words.replaceAll('&', ''))}**`
  if (name === 'download') return escaped(words)
  if (codeRoles.test(name))
    return toPlace(
      codeOf(name, raw, words, isTitled),
      references.object(target.replace(/^[~!.]+|\(\)$/g, '')),
      context,
    )
  if (name === 'emphasis' && piece.name === '') return `*${escaped(words)}*`
  if (strongRoles.test(name)) return words === '' ? '' : `**${escaped(words)}**`
  return escaped(words)
}

function codeOf(name: string, raw: string, shown: string, isTitled: boolean): string {
  if (/(?:^|:)(?:samp|file)$/.test(name)) return code(raw.replaceAll(/(?<!\\)[{}]/g, ''))
  if (/^(?:code|literal|kbd|command|option|envvar|expr)$/.test(name))
    return code(isTitled && !/^(?:code|literal)$/.test(name) ? shown : raw)
  if (isTitled) return code(shown.replace(/^!/, ''))
  const bare = shown.replace(/^!/, '')
  const last = bare.startsWith('~') ? (bare.slice(1).split('.').at(-1) ?? bare) : bare.replace(/^\./, '')
  const calls = /(?:^|:)(?:func|meth|deco)$/.test(name) && !last.endsWith(')') && last !== ''
  return code(calls ? `${last}()` : last)
}

function toPlace(text: string, place: Place | undefined, { path, urlOf }: PrintContext): string {
  if (place === undefined) return text
  const fragment = place.id === '' ? '' : `#${place.id}`
  if (place.path === path) return fragment === '' ? text : link(text, fragment)
  const url = urlOf(place.path)
  return url === undefined ? text : link(text, `${url}${fragment}`)
}
