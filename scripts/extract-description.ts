/**
 * Writes an extract of a host's published API description again: the operations that it has already, as another edition
 * describes them. To extract one more operation, name it in the extract first: `"/user": {"get": {}}`.
 *
 *   node scripts/extract-description.ts tests/worlds/hosts/gitea/gitea-swagger.json swagger.v1.json
 *   node scripts/extract-description.ts …/gitlab-openapi.json openapi_v3.yaml --below /api/v4
 *   node scripts/extract-description.ts …/bitbucket-openapi.json pr.yaml repositories.yaml   a description in parts
 *
 * Texts are left out, and everything that no operation refers to. What else is known of a host and not described stands
 * in the amendments beside the fakes, never in an extract. The comment that says where it is from is to be mended by hand.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { z } from 'zod'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { below: { type: 'string', default: '' } },
})
const [target, ...sources] = positionals
if (target === undefined || sources.length === 0) throw new Error('Name the extract, and where it is from')

const tree = z.record(z.string(), z.unknown())
type Tree = z.output<typeof tree>

const left = new Set(
  `description summary title tags operationId externalDocs license security
  example examples default deprecated consumes produces callbacks`.split(/\s+/),
)
/** Kinds of components. */
const parts = new Set(['schemas', 'parameters', 'responses', 'requestBodies', 'headers'])
/** Inside of these objects, keys are names and not keywords. */
const naming = new Set(['properties', 'patternProperties'])

const published: Tree = {}
for (const source of sources) join(published, tree.parse(parse(await readFile(source, 'utf8'))))
const present = z
  .looseObject({ paths: z.record(z.string(), tree) })
  .parse(JSON.parse(await readFile(target, 'utf8')))

const found: Tree = {}
const paths: Tree = {}
for (const [path, operations] of Object.entries(present.paths)) {
  const item = tree.parse(tree.parse(published['paths'])[values.below + path] ?? {})
  const all = z.array(z.unknown()).parse(item['parameters'] ?? [])
  const extracted: Tree = {}
  for (const method of Object.keys(operations)) {
    const operation = tree.safeParse(item[method])
    if (!operation.success) throw new Error(`${method} ${path} is not described`)
    const own = z.array(z.unknown()).parse(operation.data['parameters'] ?? [])
    extracted[method] = shorten({ ...operation.data, parameters: [...own, ...all] })
  }
  paths[path] = extracted
}

const kept = ['$comment', 'swagger', 'openapi', 'examples'] as const
const head = Object.fromEntries(kept.flatMap((key) => (key in present ? [[key, present[key]]] : [])))
await writeFile(target, `${write({ ...head, paths, ...found })}\n`)

/** Removes texts from a value, and collects what it refers to. */
function shorten(value: unknown, named = false): unknown {
  if (Array.isArray(value)) return value.map((item) => shorten(item))
  const object = tree.safeParse(value)
  if (!object.success) return value
  const { $ref: reference } = object.data
  if (typeof reference === 'string') {
    find(reference)
    return { $ref: reference }
  }
  return Object.fromEntries(
    Object.entries(object.data)
      .filter(([key]) => named || !(left.has(key) || key.startsWith('x-')))
      .map(([key, inner]) => [key, shorten(inner, naming.has(key))]),
  )
}

function find(reference: string): void {
  const keys = reference.slice(2).split('/')
  const name = keys.pop() ?? ''
  let [from, to]: [Tree, Tree] = [published, found]
  for (const key of keys) [from, to] = [tree.parse(from[key]), below(to, key)]
  if (name in to) return
  to[name] = {}
  to[name] = shorten(from[name])
}

function below(of: Tree, key: string): Tree {
  const inner = tree.safeParse(of[key])
  const result = inner.success ? (of[key] as Tree) : {}
  of[key] = result
  return result
}

function join(into: Tree, from: Tree): void {
  for (const [key, value] of Object.entries(from)) {
    const [old, more] = [tree.safeParse(into[key]), tree.safeParse(value)]
    if (old.success && more.success) join(below(into, key), more.data)
    else into[key] ??= value
  }
}

/** Writes one line for each path and each definition, so that diffs are readable. */
function write(value: Tree, depth = 0): string {
  const pad = '  '.repeat(depth)
  const lines = Object.entries(value).map(([key, inner]) => {
    const group = tree.safeParse(inner)
    const isOpen = group.success && (depth === 0 || (depth === 1 && parts.has(key)))
    return `${pad}  ${JSON.stringify(key)}: ${isOpen ? write(group.data, depth + 1) : JSON.stringify(inner)}`
  })
  return `{\n${lines.join(',\n')}\n${pad}}`
}
