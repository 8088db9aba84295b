import { parseYaml } from '../../lib/text/yaml.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { ReadFile } from '../files.ts'
import { folderOf, resolvePath } from '../text/paths.ts'
import { isRemote } from './remote.ts'
import { decoded } from '../../lib/text/decoded.ts'

/** A value of a description, with the file that it stands in: references are relative to that. */
export interface Place {
  file: string
  value: unknown
  /** The reference by which it was found last: `#/components/schemas/User`. */
  reference?: string
}

/** An OpenAPI (3) or Swagger (2) description of an API, with the files that it refers to. */
export interface Description {
  root: Place
  /** The other files that it names, missing ones too. */
  files: readonly string[]
  /** The value of a key, behind its references; undefined where there is none. Only own keys count. */
  child(place: Place | undefined, key: string | number): Place | undefined
  /** The elements of a list, behind their references; the first thousand. */
  elements(place: Place | undefined): Place[]
}

const maxFiles = 100
const maxNodes = 1_000_000
const maxReferences = 20
const maxElements = 1000

/** Whether a file may be a description by its name: JSON or YAML outside of the folders of tools and tests. */
export function mayBeDescription(path: string): boolean {
  return (
    /\.(?:json|ya?ml)$/i.test(path) &&
    !path.split('/').some((part) => part.startsWith('.') || excluded.has(part.toLowerCase()))
  )
}

const excluded = new Set([
  'node_modules',
  'bower_components',
  'vendor',
  'dist',
  'build',
  'target',
  'test',
  'tests',
  '__tests__',
  '__mocks__',
  'fixtures',
  '__fixtures__',
  'testdata',
  'snapshots',
  '__snapshots__',
])

/**
 * Reads a description and the files of the repository that it refers to; nothing is read from the web. Undefined for any
 * other text. Its cost grows with the text, in YAML faster: call it where there is a deadline.
 */
export async function readDescription(
  path: string,
  text: string,
  read: ReadFile,
): Promise<Description | undefined> {
  const main = isLikely(text) ? parseData(text) : undefined
  if (!isRecord(main) || !isDescription(main)) return undefined
  const documents = new Map<string, unknown>([[path, main]])
  const waiting = [path]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    for (const named of filesIn(file, documents.get(file))) {
      if (documents.has(named) || documents.size >= maxFiles) continue
      const source = isRemote(path) ? undefined : await read(named)
      documents.set(named, source === undefined ? undefined : parseData(source))
      waiting.push(named)
    }
  }
  const follow = (start: Place): Place | undefined => {
    let place = start
    for (let count = 0; isRecord(place.value); count++) {
      const reference = own(place.value, '$ref')
      if (typeof reference !== 'string') return place
      const target = count < maxReferences ? targetOf(place.file, reference) : undefined
      if (target === undefined) return undefined
      const value = valueAt(documents.get(target.file), target.pointer)
      // A description beside a reference is about this use.
      const said = own(place.value, 'description')
      place = {
        file: target.file,
        value: typeof said === 'string' && isRecord(value) ? { ...value, description: said } : value,
        reference: `${target.file}#${target.pointer}`,
      }
    }
    return place.value === undefined ? undefined : place
  }
  return {
    root: { file: path, value: main },
    files: [...documents.keys()].filter((file) => file !== path),
    child: (place, key) =>
      place === undefined ? undefined : follow({ file: place.file, value: own(place.value, key) }),
    elements: (place) =>
      Array.isArray(place?.value)
        ? place.value
            .slice(0, maxElements)
            .flatMap((value: unknown) => follow({ file: place.file, value }) ?? [])
        : [],
  }
}

/** A text that is none is told without parsing it. */
function isLikely(text: string): boolean {
  return text.trimStart().startsWith('{')
    ? text.includes('"openapi"') || text.includes('"swagger"')
    : /^["']?(?:openapi|swagger)["']?[ \t]*:/m.test(text)
}

function isDescription(data: Readonly<Record<string, unknown>>): boolean {
  const version = String(own(data, 'openapi') ?? own(data, 'swagger'))
  return /^[23](?:\.|$)/.test(version) && (isRecord(own(data, 'paths')) || isRecord(own(data, 'webhooks')))
}

/** JSON or YAML; undefined for what is neither, and for YAML whose aliases would unfold to much more than its text. */
function parseData(text: string): unknown {
  try {
    return text.trimStart().startsWith('{')
      ? JSON.parse(text)
      : parseYaml(text, { lenient: true, merge: true })
  } catch {
    return undefined
  }
}

/** The files that the references of a document name. */
function filesIn(file: string, document: unknown): Set<string> {
  const files = new Set<string>()
  const seen = new Set<unknown>()
  const waiting: unknown[] = [document]
  while (waiting.length > 0 && seen.size < maxNodes) {
    const value = waiting.pop()
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    const reference = own(value, '$ref')
    const target = typeof reference === 'string' ? targetOf(file, reference) : undefined
    if (target !== undefined && target.file !== file) files.add(target.file)
    for (const inner of Object.values(value)) waiting.push(inner)
  }
  return files
}

/** Undefined for an address of the web and for a path that leaves the repository. */
function targetOf(from: string, reference: string): { file: string; pointer: string } | undefined {
  if (reference.length > 2000 || /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(reference)) return undefined
  const [name = '', pointer = ''] = reference.split('#', 2)
  const file = name === '' ? from : resolvePath(folderOf(from), decoded(name))
  return file === undefined ? undefined : { file, pointer }
}

/** The value at a JSON pointer: `/components/schemas/User`. */
function valueAt(document: unknown, pointer: string): unknown {
  let value = document
  for (const part of pointer.split('/').slice(1))
    value = own(value, decoded(part).replaceAll('~1', '/').replaceAll('~0', '~'))
  return value
}

function own(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Readonly<Record<string | number, unknown>>)[key]
}
