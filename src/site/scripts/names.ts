import type { AnyNode } from 'acorn'
import { eachNode } from './each-node.ts'
import type { Script } from './parse-script.ts'

/** What a name of a script stands for: an expression or function in it, or what another file exports. */
export type Meaning = { node: AnyNode } | { specifier: string; exported: string }

export interface Names {
  /** Undefined where a name has several meanings. */
  declared: ReadonlyMap<string, Meaning | undefined>
  exported: ReadonlyMap<string, Meaning>
  /** Lists that code adds to or reorders later: more may be in them than is written. */
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
