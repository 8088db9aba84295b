import type { AnyNode } from 'acorn'
import { eachNode } from './each-node.ts'
import { type Meaning, keyOf, namesOf, specifierOf } from './names.ts'
import type { Script } from './parse-script.ts'

/** An expression and the file that it stands in. */
export interface Value<Type extends AnyNode = AnyNode> {
  script: Script
  node: Type
  /** Code changes it after it was written. */
  changed?: boolean
}

export interface Resolver {
  /** What a value is written as: names, imports, calls of plain functions and members are followed as far as they can be. */
  resolve(value: Value): Value
  /** What a file exports, resolved. */
  exported(script: Script, name: string): Value | undefined
  /** A property of an object, in what is spread into it too; not resolved. */
  property(value: Value, name: string): Value | undefined
}

const maxDepth = 25
/** Objects that bring each other many times over are otherwise without end. */
const maxSteps = 2_000_000

/**
 * `open` gives the file that an import names, and undefined for what is no file here or cannot be read.
 * @throws RangeError from any of its functions when there is too much to follow
 */
export function createResolver(open: (from: string, specifier: string) => Script | undefined): Resolver {
  let steps = 0
  const count = (more: number): void => {
    steps += more
    if (steps > maxSteps) throw new RangeError('The configuration is too large to be followed')
  }
  return {
    resolve: (value) => resolve(value, 0),
    exported: (script, name) => exported(script, name, 0),
    property: (value, name) => property(value, name, 0),
  }

  function resolve(value: Value, depth: number): Value {
    count(1)
    if (depth > maxDepth) return value
    const next = step(value, depth + 1)
    if (next === undefined) return value
    const changed = value.changed === true || next.changed === true
    return resolve(changed ? { ...next, changed } : next, depth + 1)
  }

  function step(value: Value, depth: number): Value | undefined {
    const { script, node } = value
    switch (node.type) {
      case 'Identifier': {
        const names = namesOf(script)
        const meaning = names.declared.get(node.name)
        const found = meaning && follow(script, meaning, depth)
        return found && names.changed.has(node.name) ? { ...found, changed: true } : found
      }
      case 'CallExpression': {
        const specifier = specifierOf(node)
        if (specifier !== undefined) return follow(script, { specifier, exported: 'default' }, depth)
        const called = resolve({ script, node: node.callee }, depth)
        // What a function makes of its arguments is not written out.
        const plain =
          node.arguments.length === 0 || ('params' in called.node && called.node.params.length === 0)
        return plain ? result(called) : undefined
      }
      case 'MemberExpression': {
        if (node.computed || node.property.type !== 'Identifier') return undefined
        return property({ script, node: node.object }, node.property.name, depth)
      }
      case 'AwaitExpression':
        return { script, node: node.argument }
      default:
        return undefined
    }
  }

  function follow(script: Script, meaning: Meaning, depth: number): Value | undefined {
    if ('node' in meaning) return { script, node: meaning.node }
    const target = open(script.path, meaning.specifier)
    return target && exported(target, meaning.exported, depth)
  }

  function exported(script: Script, name: string, depth: number): Value | undefined {
    const meaning = namesOf(script).exported.get(name)
    if (meaning === undefined || depth > maxDepth) return undefined
    const found = follow(script, meaning, depth + 1)
    return found && resolve(found, depth + 1)
  }

  function property(value: Value, name: string, depth: number): Value | undefined {
    if (depth > maxDepth) return undefined
    const { script, node } = resolve(value, depth + 1)
    if (node.type !== 'ObjectExpression') return undefined
    count(node.properties.length)
    for (const one of node.properties.toReversed()) {
      if (one.type === 'SpreadElement') {
        const found = property({ script, node: one.argument }, name, depth + 1)
        if (found !== undefined) return found
      } else if (keyOf(one) === name) return one.kind === 'init' ? { script, node: one.value } : undefined
    }
    return undefined
  }
}

/** What a function returns when there is only one thing that it can return. */
export function result({ script, node }: Value): Value | undefined {
  if (
    node.type !== 'ArrowFunctionExpression' &&
    node.type !== 'FunctionExpression' &&
    node.type !== 'FunctionDeclaration'
  )
    return undefined
  if (node.body.type !== 'BlockStatement') return { script, node: node.body }
  let found: AnyNode | undefined
  for (const one of eachNode(node.body, ({ type }) => type.includes('Function'))) {
    if (one.type !== 'ReturnStatement') continue
    if (found !== undefined || !one.argument) return undefined
    found = one.argument
  }
  return found && { script, node: found }
}

const maxText = 2000

/** A text that is written out, without anything computed in it; undefined for one too long to be a name or an address. */
export function textOf(node: AnyNode | undefined): string | undefined {
  const text =
    node?.type === 'Literal'
      ? node.value
      : node?.type === 'TemplateLiteral' && node.expressions.length === 0
        ? node.quasis[0]?.value.cooked
        : undefined
  return typeof text === 'string' && text.length <= maxText ? text : undefined
}

export function isInside(
  one: { start: number; end: number },
  other: { start: number; end: number },
): boolean {
  return one.start >= other.start && one.end <= other.end
}
