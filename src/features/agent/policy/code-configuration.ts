import type { AnyNode, ObjectExpression, Property } from 'acorn'
import { tokTypes, tokenizer } from 'acorn'
import { keyOf } from '../../../site/code-config/resolve.ts'
import { parseValue } from '../../../site/code-config/parse-script.ts'
import type { NavigationFile } from '../../../site/site.ts'
import { decodeExact } from '../../../site/text/text-file.ts'

type Region = NavigationFile['regions'][number]

const elsewhere = 'It would change code outside of the navigation and redirects, which only a person changes'

/**
 * Why a changed file of code may not be published. Only what is written out in its navigation and redirects may change,
 * and only into other plain values: everything around it has to stay as it is, character by character, but for the names of
 * pages that move.
 */
export function codeConfigurationObjection(
  file: NavigationFile,
  before: Uint8Array | undefined,
  after: Uint8Array,
  renamed: (text: string) => string = (text) => text,
): string | undefined {
  const [old, now] = [before && decodeExact(before), decodeExact(after)]
  if (old === undefined || now === undefined) return 'It would not be UTF-8'
  if (old === now) return undefined
  if (old.length !== file.length) return elsewhere
  let from = 0
  let at = 0
  for (const region of file.regions) {
    const value = old.slice(region.start, region.end)
    const around = aroundAt(from, region.start)
    if (around === undefined) return elsewhere
    at += around.length
    from = region.end
    const end = now.startsWith(value, at) ? at + value.length : endOfValue(now, at, region)
    if (end === undefined) return 'Its navigation would not be plain lists, objects and texts'
    const objection = regionObjection(value, now.slice(at, end))
    if (objection !== undefined) return objection
    at = end
  }
  if (now.slice(at) !== aroundAt(from, old.length)) return elsewhere
  return file.path.endsWith('.json') && isJson(old) && !isJson(now) ? 'It would not be valid JSON' : undefined

  /** What stands between, as it was or with the new names of pages. */
  function aroundAt(start: number, end: number): string | undefined {
    const text = old?.slice(start, end) ?? ''
    return [text, renamed(text)].find((one) => now?.startsWith(one, at) === true)
  }
}

function regionObjection(old: string, now: string): string | undefined {
  if (old === now) return undefined
  const [before, after] = [parseValue(old), parseValue(now)]
  if (before === undefined || after === undefined || before.type !== after.type)
    return 'Its navigation would not be plain lists, objects and texts'
  return navigationObjection({ node: before, text: old }, { node: after, text: now })
}

/** Where the list, object or text that starts here ends. */
function endOfValue(text: string, start: number, { kind }: Region): number | undefined {
  try {
    let depth = 0
    for (const token of tokenizer(text.slice(start), { ecmaVersion: 'latest', sourceType: 'module' })) {
      if (opening.has(token.type)) depth += 1
      else if (closing.has(token.type)) depth -= 1
      else if (depth === 0 && !(kind === 'address' && token.type === tokTypes.string)) return undefined
      if (depth === 0) return start + token.end
    }
  } catch {
    return undefined
  }
  return undefined
}

const opening = new Set([tokTypes.bracketL, tokTypes.braceL, tokTypes.parenL, tokTypes.dollarBraceL])
const closing = new Set([tokTypes.bracketR, tokTypes.braceR, tokTypes.parenR])

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''))
    return true
  } catch {
    return false
  }
}

const maxDepth = 100

/** What of a value is no plain text, list or object that navigation is made of. */
interface Content {
  /** Texts that lead elsewhere or are markup: what the file has may stand in it again. */
  texts: Set<string>
  /** Everything that computes, loads or embeds, as often as it stands there. */
  others: string[]
}

/** Why one value of the navigation may not become another. */
function navigationObjection(before: Source, after: Source): string | undefined {
  const [old, now] = [read(before), read(after)]
  if (old === undefined || now === undefined) return 'Its navigation would be nested too deeply'
  const known = new Map<string, number>()
  for (const other of old.others) known.set(other, (known.get(other) ?? 0) + 1)
  for (const other of now.others) {
    const left = known.get(other) ?? 0
    if (left === 0)
      return `Its navigation would hold ${short(other)}: only plain texts, lists and objects are added there`
    known.set(other, left - 1)
  }
  const text = [...now.texts].find((one) => !old.texts.has(one))
  return text === undefined
    ? undefined
    : `Its navigation would hold ${short(text)}, which is neither a plain label nor the address or name of a page of this site`
}

interface Source {
  node: AnyNode
  text: string
}

/** What entries are made of, whatever the generator. */
const known = new Set(
  'id href dirName slug from to docId type label title description key items link collapsed collapsible base text docFooterText directory destination variant badge translations autogenerate status'.split(
    ' ',
  ),
)

function read({ node: root, text }: Source): Content | undefined {
  const content: Content = { texts: new Set(), others: [] }
  let isTooDeep = false
  const source = (node: AnyNode) => text.slice(node.start, node.end)
  visit(root, '', 0)
  return isTooDeep ? undefined : content

  function visit(node: AnyNode, name: string, depth: number): void {
    isTooDeep ||= depth > maxDepth
    if (isTooDeep) return
    const plain = plainText(node)
    if (plain !== undefined) note(plain, name)
    else if (node.type === 'ArrayExpression') {
      for (const child of node.elements) if (child !== null) visit(child, '', depth + 1)
    } else if (node.type === 'ObjectExpression') visitObject(node, name, depth)
    else if (node.type === 'CallExpression') {
      // `group('Name', { items: [...] })`: the lists given to a function may change, the call and its texts may not.
      const parts = node.arguments.map((argument) => {
        if (argument.type !== 'ObjectExpression') return source(argument)
        visitObject(argument, '', depth + 1)
        return '{}'
      })
      content.others.push(`${source(node.callee)}(${parts.join(', ')})`)
    } else if (!isPlainValue(node)) content.others.push(source(node))
  }

  function visitObject(node: ObjectExpression, name: string, depth: number): void {
    const properties = node.properties.map((one) => ({
      one,
      key: one.type === 'Property' ? plainKey(one) : undefined,
    }))
    // `{ 'Name': [...] }`, `{ '/guide/': [...] }`, `{ '/old': '/new' }`, `{ fr: 'Nom' }`
    const isOfNames = !properties.some(({ key = '' }) => known.has(key))
    for (const { one, key } of properties) {
      const isEntry =
        key !== undefined &&
        one.type === 'Property' &&
        (known.has(key) ||
          (isOfNames &&
            (name === 'translations' ||
              key.startsWith('/') ||
              /^(?:Array|Object)Expression$/.test(one.value.type))))
      if (!isEntry) content.others.push(source(one))
      else {
        if (!known.has(key)) note(key, '')
        visit(one.value, name === 'translations' ? 'label' : key, depth + 1)
      }
    }
  }

  /** Only labels may read like an address, and nothing like a tag: some generators put them into the page as HTML. */
  function note(value: string, name: string): void {
    const isLabel = /^(?:text|label|title|description|docFooterText)$/.test(name)
    const leads = !isLabel && (/^(?:[a-z][a-z\d+.-]*:|\/\/)|["`>]/i.test(value) || value.trim() !== value)
    const acts =
      value.length > 2000 || /\p{Cc}|\\|<[a-z!/?]/iu.test(value) || (name === 'type' && value === 'html')
    if (leads || acts) content.texts.add(value)
  }
}

function plainKey(property: Property): string | undefined {
  if (property.kind !== 'init' || property.method || property.shorthand || property.computed) return undefined
  const name = keyOf(property)
  return name === '__proto__' ? undefined : name
}

function plainText(node: AnyNode): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined
  return node.quasis[0]?.value.cooked ?? undefined
}

function isPlainValue(node: AnyNode): boolean {
  if (node.type !== 'Literal') return false
  return node.value === null ? node.regex === undefined : ['boolean', 'number'].includes(typeof node.value)
}

function short(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
}
