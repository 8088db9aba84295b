import { randomUUID } from 'node:crypto'
import { isRecord } from '../../../../lib/is-record.ts'
import { type SyntaxNode, isNode, nodesIn } from './text-parts.ts'

/** What was taken out of code, to be judged on its own. */
export interface Apart {
  inner: SyntaxNode[]
  elements: SyntaxNode[]
}

/** What code does, as data: without its layout and comments, and without what is taken apart. */
export function formOf(value: unknown, apart?: Apart, depth = 0): unknown {
  // Never the same, so that nothing knows it.
  if (depth > maxNesting) return randomUUID()
  if (Array.isArray(value)) return value.map((one) => formOf(one, apart, depth + 1))
  if (typeof value === 'bigint') return String(value)
  if (!isNode(value)) return value
  if (apart !== undefined && /^JSX(?:Element|Fragment)$/.test(value.type)) {
    apart.elements.push(value)
    return '<>'
  }
  const form: Record<string, unknown> = {}
  for (const [field, one] of Object.entries(value)) {
    if (/^(?:start|end|loc|range|raw|comments|position)$/.test(field)) continue
    if (apart !== undefined && field === lists[value.type]) apart.inner.push(...nodesIn(one))
    else form[field] = formOf(one, apart, depth + 1)
  }
  return form
}

/** The text of a piece of a template literal. */
export function cookedOf({ value }: SyntaxNode): string {
  return isRecord(value) && typeof value['cooked'] === 'string' ? value['cooked'] : ''
}

/** Lists of code from which something can be left out while the rest does what it did. */
const lists: Readonly<Record<string, string>> = {
  Program: 'body',
  BlockStatement: 'body',
  ClassBody: 'body',
  VariableDeclaration: 'declarations',
  ObjectExpression: 'properties',
  ArrayExpression: 'elements',
}
const maxNesting = 200

export function jsxName(node: unknown): string {
  if (!isNode(node)) return ''
  if (node.type === 'JSXMemberExpression') return `${jsxName(node['object'])}.${jsxName(node['property'])}`
  if (node.type === 'JSXNamespacedName') return `${jsxName(node['namespace'])}:${jsxName(node['name'])}`
  return String(node['name'])
}

/** The names that some code has, of its form. */
export function namesInForm(form: string): string {
  return [...form.matchAll(/"type":"Identifier","name":"([\w$]{1,100})"/g)]
    .map(([, name = '']) => name)
    .join(' ')
}
