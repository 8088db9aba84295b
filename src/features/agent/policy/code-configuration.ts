import type { AnyNode, CallExpression, ObjectExpression, Property } from 'acorn'
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
    const objection = regionObjection(file, region, value, now.slice(at, end))
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

function regionObjection(
  { framework }: NavigationFile,
  { kind }: Region,
  old: string,
  now: string,
): string | undefined {
  if (old === now) return undefined
  const [before, after] = [parseValue(old), parseValue(now)]
  if (before === undefined || after === undefined || before.type !== after.type)
    return 'Its navigation would not be plain lists, objects and texts'
  return navigationObjection({ framework, kind }, { node: before, text: old }, { node: after, text: now })
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

interface Source {
  node: AnyNode
  text: string
}

interface Part {
  framework: NavigationFile['framework']
  kind: NavigationFile['regions'][number]['kind']
}

/** What a value is made of: texts by what they are for, and everything that is no plain value. */
interface Content {
  texts: Map<string, { use: 'address' | 'label'; text: string }>
  others: string[]
}

const maxDepth = 100

/** Why one value of the navigation may not become another: it would compute, load or embed something new. */
function navigationObjection(part: Part, before: Source, after: Source): string | undefined {
  const [old, now] = [read(part, before), read(part, after)]
  if (old === undefined || now === undefined) return 'Its navigation would be nested too deeply'
  const known = new Map<string, number>()
  for (const other of old.others) known.set(other, (known.get(other) ?? 0) + 1)
  for (const other of now.others) {
    const left = known.get(other) ?? 0
    if (left === 0)
      return `Its navigation would hold ${short(other)}: only plain texts, lists and objects are added there`
    known.set(other, left - 1)
  }
  for (const [key, { use, text }] of now.texts) {
    if (old.texts.has(key)) continue
    if (use === 'address' ? !isInternal(text) : !isPlainLabel(text, part))
      return `Its navigation would hold ${short(text)}, which is no ${use === 'address' ? 'address or name of a page of this site' : 'plain label'}`
  }
  return undefined
}

const itemKeys = {
  docusaurus: {
    address: ['id', 'href', 'dirName', 'slug', 'from', 'to', 'docId'],
    label: ['type', 'label', 'title', 'description', 'key'],
    other: ['items', 'link', 'collapsed', 'collapsible'],
  },
  vitepress: { address: ['link', 'base'], label: ['text', 'docFooterText'], other: ['items', 'collapsed'] },
  starlight: {
    address: ['slug', 'link', 'directory', 'destination'],
    label: ['label', 'text', 'variant'],
    other: ['items', 'collapsed', 'badge', 'translations', 'autogenerate', 'status'],
  },
} as const

function read(part: Part, { node: root, text }: Source): Content | undefined {
  const { framework, kind } = part
  const content: Content = { texts: new Map(), others: [] }
  const keys = itemKeys[framework]
  let tooDeep = false
  const note = (use: 'address' | 'label', value: string) =>
    content.texts.set(`${use} ${value}`, { use, text: value })
  const source = (node: AnyNode) => text.slice(node.start, node.end)
  visit(root, { use: 'address', inTranslations: false }, 0)
  return tooDeep ? undefined : content

  function visit(
    node: AnyNode,
    at: { use: 'address' | 'label'; inTranslations: boolean },
    depth: number,
  ): void {
    if (depth > maxDepth) {
      tooDeep = true
      return
    }
    const plain = plainText(node)
    if (plain !== undefined) note(at.use, plain)
    else if (node.type === 'ArrayExpression') {
      for (const child of node.elements)
        if (child !== null) visit(child, { use: 'address', inTranslations: false }, depth + 1)
    } else if (node.type === 'ObjectExpression') visitObject(node, at.inTranslations, depth)
    else if (node.type === 'CallExpression') visitCall(node, depth)
    else if (!isPlainValue(node)) content.others.push(source(node))
  }

  function visitObject(node: ObjectExpression, inTranslations: boolean, depth: number): void {
    const names = new Set(
      node.properties.flatMap((one) => (one.type === 'Property' ? (keyOf(one) ?? []) : [])),
    )
    for (const property of node.properties) {
      const name = property.type === 'Property' ? plainKey(property) : undefined
      if (property.type !== 'Property' || name === undefined) {
        content.others.push(source(property))
        continue
      }
      const use = useOf(name, property, { inTranslations, isTyped: names.has('type') })
      if (use === undefined) content.others.push(source(property))
      else {
        if (use.key !== undefined) note(use.key, name)
        visit(property.value, { use: use.value, inTranslations: name === 'translations' }, depth + 1)
      }
    }
  }

  /** How a property's texts are used; undefined for one that is not known to be harmless. */
  function useOf(
    name: string,
    { value }: Property,
    { inTranslations, isTyped }: { inTranslations: boolean; isTyped: boolean },
  ): { key?: 'address' | 'label'; value: 'address' | 'label' } | undefined {
    if (inTranslations) return /^[\w-]+$/.test(name) ? { value: 'label' } : undefined
    if (kind === 'redirects' && framework === 'starlight' && name.startsWith('/'))
      return { key: 'address', value: 'address' }
    // `{ 'Name': [...] }`, and sidebars by their names.
    const isNested = value.type === 'ArrayExpression' || value.type === 'ObjectExpression'
    if (framework === 'docusaurus' && kind === 'items' && !isTyped)
      return isNested ? { key: 'label', value: 'address' } : undefined
    if (framework === 'vitepress' && name.includes('/'))
      return isNested ? { key: 'address', value: 'address' } : undefined
    const has = (list: readonly string[]) => list.includes(name)
    if (has(keys.address)) return { value: 'address' }
    if (has(keys.label) && !(name === 'type' && plainText(value) === 'html')) return { value: 'label' }
    return has(keys.other) ? { value: 'label' } : undefined
  }

  /** `group('Name', { items: [...] })`: the lists given to a function may change, the call and its texts may not. */
  function visitCall(node: CallExpression, depth: number): void {
    const parts = node.arguments.map((argument) => {
      if (argument.type !== 'ObjectExpression') return source(argument)
      visitObject(argument, false, depth + 1)
      return '{}'
    })
    content.others.push(`${source(node.callee)}(${parts.join(', ')})`)
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

/** No other site, no script: a path, or a name made of the same characters. */
function isInternal(text: string): boolean {
  return (
    text.length <= 2000 &&
    text.trim() === text &&
    !/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(text) &&
    !/[\\<>"`\p{Cc}]/u.test(text)
  )
}

/** VitePress puts labels into the page as HTML. */
function isPlainLabel(text: string, { framework }: Part): boolean {
  return text.length <= 2000 && !/\p{Cc}/u.test(text) && !(framework === 'vitepress' && text.includes('<'))
}

function short(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
}
