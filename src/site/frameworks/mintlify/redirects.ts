import type { Node } from 'jsonc-parser'
import { ToolError } from '../../../lib/tool-error.ts'
import { type WrittenRedirect, bracketRedirects } from '../../navigation/bracket-redirects.ts'
import { type ObjectSource, indentStep, insertChild } from '../../navigation/edit-container.ts'
import type { Container, RedirectList } from '../../navigation/navigation-tree.ts'
import { endingAt } from '../../text/text-file.ts'
import { type JsonConfig, type JsonFile, textOf } from './json-config.ts'

/** The redirects, including those from files that `$ref` includes. */
export function redirectPairs(config: JsonConfig): (WrittenRedirect & { entry: Node })[] {
  return config.elements(config.property(config.main, 'redirects')).flatMap((entry) => {
    const [source, destination] = ['source', 'destination'].map((key) => config.property(entry, key)?.node)
    const from = textOf(source)
    if (source === undefined || destination === undefined || from === undefined) return []
    const nodes = { fromNode: span(source), toNode: span(destination), entry: entry.node }
    return [{ from, to: textOf(destination), ...nodes, whole: objectSource(entry.file, entry.node) }]
  })
}

interface Style {
  /** The path that the site is served below, where addresses repeat it. */
  prefix?: string
  /** Keys beside which one is left alone, because it says when it counts; all are taken without it. */
  known?: readonly string[]
}

/** The list `redirects` of objects with `source` and `destination`, as Mintlify and Vercel have it. @throws ToolError `unreadable` */
export function jsonRedirects(
  config: JsonConfig,
  main: JsonFile,
  { prefix = '', known }: Style = {},
): RedirectList {
  const list = config.property(config.main, 'redirects')
  const style = {
    keys: ['source', 'destination'],
    prefix,
    isSame: (one: string, other: string) => `/${one.replaceAll(/^\/|\/$/g, '')}` === other,
    like: (url: string) => url,
  } as const
  if (list === undefined) {
    const root = container(main, main.root)
    const [unit, end] = [indentStep(main.text), endingAt(main.text, root.start)]
    const begin = (from: string, to: string) => (given: string) => {
      const indent = given === '' ? unit : given
      const properties = [
        `"source": ${JSON.stringify(from)}`,
        `"destination": ${JSON.stringify(`${prefix}${to}`)}`,
      ]
      const entry = objectLines(properties, `${indent}${unit}`, main.text)
      return `"redirects": [${end}${indent}${unit}${entry}${end}${indent}]`
    }
    const none = bracketRedirects(root, [], { ...style, plain: () => '' })
    return { ...none, append: (from, to) => insertChild(root, undefined, begin(from, to)) }
  }
  const { file, node } = list
  if (node.type !== 'array')
    throw new ToolError('unreadable', `The redirects of ${file.path} are no list: repair them first`)
  const entries = redirectPairs(config).filter(
    ({ entry, whole }) =>
      entry.parent === node &&
      (known === undefined ||
        propertyNames(whole).every((name) => name !== undefined && known.includes(name))),
  )
  return bracketRedirects(container(file, node), entries, {
    ...style,
    plain: (properties, indent) => objectLines(properties, indent, file.text),
  })
}

function propertyNames(source: WrittenRedirect['whole']): (string | undefined)[] {
  return source !== undefined && 'properties' in source ? source.properties.map(({ name }) => name) : []
}

function objectLines(properties: readonly string[], indent: string, text: string): string {
  const end = endingAt(text, 0)
  const inner = `${end}${indent}${indentStep(text)}`
  return `{${properties.map((one) => `${inner}${one}`).join(',')}${end}${indent}}`
}

function objectSource({ text }: JsonFile, node: Node): ObjectSource {
  const properties = (node.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? []
    return key && value
      ? [{ ...span(property), name: String(key.value), key: span(key), value: span(value) }]
      : []
  })
  return { ...span(node), text, properties }
}

/** An object or a list as a place for entries. */
export function container(file: JsonFile, node: Node): Container {
  const children = (node.children ?? []).map(span)
  return { file, ...span(node), children, layout: 'brackets', trailing: false }
}

/** Where a value is in its text. */
export function span({ offset, length }: Node): { start: number; end: number } {
  return { start: offset, end: offset + length }
}
