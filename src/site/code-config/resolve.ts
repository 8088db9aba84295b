import type { AnyNode, Property } from 'acorn'
import { eachNode, type Script } from './parse-script.ts'

/** An expression and the file that it stands in. */
export interface Value<Type extends AnyNode = AnyNode> {
  script: Script
  node: Type
  /** Whether code changes it later. */
  changed?: boolean
}

export interface Resolver {
  /** Follows names, imports, members and calls of plain functions to the literal that they stand for. */
  resolve(value: Value): Value
  /** What a file exports, resolved. */
  exported(script: Script, name: string): Value | undefined
  /** A property of an object, those that are spread into it included; not resolved. */
  property(value: Value, name: string): Value | undefined
}

const maxDepth = 25
/** Bounds objects that spread each other many times over. */
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
        const target = meaning && follow(script, meaning, depth)
        return target && names.changed.has(node.name) ? { ...target, changed: true } : target
      }
      case 'CallExpression': {
        const specifier = specifierOf(node)
        if (specifier !== undefined) return follow(script, { specifier, exported: 'default' }, depth)
        const called = resolve({ script, node: node.callee }, depth)
        // The result of a function with parameters is unknown.
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
    const target = follow(script, meaning, depth + 1)
    return target && resolve(target, depth + 1)
  }

  function property(value: Value, name: string, depth: number): Value | undefined {
    if (depth > maxDepth) return undefined
    const { script, node } = resolve(value, depth + 1)
    if (node.type !== 'ObjectExpression') return undefined
    count(node.properties.length)
    for (const one of node.properties.toReversed()) {
      if (one.type === 'SpreadElement') {
        const spread = property({ script, node: one.argument }, name, depth + 1)
        if (spread !== undefined) return spread
      } else if (keyOf(one) === name) return one.kind === 'init' ? { script, node: one.value } : undefined
    }
    return undefined
  }
}

/** The value that a function returns, if it has one `return`. */
function result({ script, node }: Value): Value | undefined {
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

/** The objects that a configuration is made of, through calls such as `defineConfig({…})`. */
export function objectsOf(resolver: Resolver, given: Value, depth = 0): Value[] {
  const value = resolver.resolve(given)
  const { script, node } = value
  if (depth > 10) return []
  if (node.type === 'ObjectExpression') return [value]
  if (node.type === 'CallExpression' || node.type === 'NewExpression')
    return node.arguments
      .slice(0, 20)
      .flatMap((argument) => objectsOf(resolver, { script, node: argument }, depth + 1))
  const returned = result(value)
  return returned === undefined ? [] : objectsOf(resolver, returned, depth + 1)
}

const maxText = 2000

/** The text of a string literal; undefined where a part is computed, or it is too long for a name or an address. */
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

/** What a name stands for: an expression or function of the script, or an export of another file. */
type Meaning = { node: AnyNode } | { specifier: string; exported: string }

export interface Names {
  /** Undefined where a name has several meanings. */
  declared: ReadonlyMap<string, Meaning | undefined>
  exported: ReadonlyMap<string, Meaning>
  /** Lists that code changes later, so that they may have other entries than the literal. */
  changed: ReadonlySet<string>
}

const known = new WeakMap<Script, Names>()
const changing = new Set(['push', 'unshift', 'splice', 'sort', 'reverse', 'pop', 'shift', 'fill'])

export function namesOf(script: Script): Names {
  const names = known.get(script) ?? readNames(script)
  known.set(script, names)
  return names
}

function readNames({ root }: Script): Names {
  const declared = new Map<string, Meaning | undefined>()
  const exported = new Map<string, Meaning>()
  const changed = new Set<string>()
  const declare = (name: string, meaning: Meaning | undefined) =>
    declared.set(name, declared.has(name) ? undefined : meaning)
  if (root.type !== 'Program') exported.set('default', { node: root })
  for (const node of eachNode(root)) {
    switch (node.type) {
      case 'VariableDeclarator': {
        const required = specifierOf(node.init)
        if (node.id.type === 'Identifier') {
          const meaning = node.init ? { node: node.init } : undefined
          declare(
            node.id.name,
            required === undefined ? meaning : { specifier: required, exported: 'default' },
          )
        } else if (node.id.type === 'ObjectPattern') {
          for (const property of node.id.properties) {
            if (property.type !== 'Property' || property.value.type !== 'Identifier') continue
            const name = keyOf(property)
            const meaning =
              required === undefined || name === undefined
                ? undefined
                : { specifier: required, exported: name }
            declare(property.value.name, meaning)
          }
        }
        break
      }
      case 'FunctionDeclaration':
        if (node.id) declare(node.id.name, { node })
        break
      case 'ImportDeclaration': {
        const specifier = String(node.source.value)
        for (const one of node.specifiers) {
          const name =
            one.type === 'ImportSpecifier'
              ? nameOf(one.imported)
              : one.type === 'ImportDefaultSpecifier'
                ? 'default'
                : '*'
          declare(one.local.name, { specifier, exported: name })
        }
        break
      }
      case 'ExportDefaultDeclaration':
        exported.set('default', { node: node.declaration })
        break
      case 'ExportNamedDeclaration': {
        const { declaration, source } = node
        if (declaration?.type === 'VariableDeclaration') {
          for (const { id, init } of declaration.declarations)
            if (id.type === 'Identifier' && init) exported.set(id.name, { node: id })
        } else if (declaration?.type === 'FunctionDeclaration')
          exported.set(declaration.id.name, { node: declaration })
        for (const one of node.specifiers) {
          const meaning = source
            ? { specifier: String(source.value), exported: nameOf(one.local) }
            : { node: one.local }
          exported.set(nameOf(one.exported), meaning)
        }
        break
      }
      case 'AssignmentExpression': {
        const target = node.left
        if (target.type === 'Identifier') declared.set(target.name, undefined)
        else if (target.type === 'MemberExpression') {
          const name = exportedName(target)
          if (name !== undefined) exported.set(name, { node: node.right })
          else if (target.object.type === 'Identifier') changed.add(target.object.name)
        }
        break
      }
      case 'CallExpression': {
        const { callee } = node
        if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') break
        if (callee.property.type === 'Identifier' && changing.has(callee.property.name))
          changed.add(callee.object.name)
        break
      }
      default:
    }
  }
  return { declared, exported, changed }
}

/** The name of a property, when it is written out. */
export function keyOf(property: { computed: boolean; key: AnyNode }): string | undefined {
  if (!property.computed && property.key.type === 'Identifier') return property.key.name
  if (property.key.type !== 'Literal') return undefined
  const { value } = property.key
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** A property of an object literal; undefined for any other node. */
export function propertyOf(node: AnyNode, name: string): Property | undefined {
  for (const one of node.type === 'ObjectExpression' ? node.properties : [])
    if (one.type === 'Property' && keyOf(one) === name) return one
  return undefined
}

/** The file that `require('…')` names. */
export function specifierOf(node: AnyNode | null | undefined): string | undefined {
  if (node?.type !== 'CallExpression' || node.callee.type !== 'Identifier') return undefined
  const [argument] = node.arguments
  const value = argument?.type === 'Literal' ? argument.value : undefined
  return node.callee.name === 'require' && typeof value === 'string' ? value : undefined
}

/** `module.exports` is the default export, `exports.x` and `module.exports.x` are named ones. */
function exportedName(node: AnyNode): string | undefined {
  if (node.type !== 'MemberExpression' || node.property.type !== 'Identifier') return undefined
  const { object, property } = node
  if (object.type === 'Identifier') {
    if (object.name === 'exports') return property.name
    return object.name === 'module' && property.name === 'exports' ? 'default' : undefined
  }
  return exportedName(object) === 'default' ? property.name : undefined
}

function nameOf(node: AnyNode): string {
  return node.type === 'Identifier' ? node.name : node.type === 'Literal' ? String(node.value) : ''
}
