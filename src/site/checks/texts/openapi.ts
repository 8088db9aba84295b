import { isRecord } from '../../../lib/is-record.ts'
import { decoded } from '../../../lib/text/decoded.ts'

export interface OpenapiProblem {
  line: number
  message: string
  hint: string
  /** A file that the document needs, relative to it. */
  file?: string
}

type Path = (string | number)[]

const maxProblems = 100
const maxNodes = 500_000
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** Checks that an OpenAPI 3 or Swagger 2 document is consistent; finds nothing in any other value. */
export function checkOpenapi(value: unknown, lineOf: (path: Path) => number): OpenapiProblem[] {
  if (!isRecord(value)) return []
  const { openapi, swagger } = value
  const isOpenapi = typeof openapi === 'string' && openapi.startsWith('3.')
  const isSwagger = swagger === '2.0' || swagger === 2
  if (!isOpenapi && !isSwagger) return []
  const problems: OpenapiProblem[] = []
  const report = (path: Path, message: string, hint: string) => {
    if (problems.length < maxProblems) problems.push({ line: lineOf(path), message, hint })
  }
  checkInfo(value, report)
  const needsPaths = isSwagger || (typeof openapi === 'string' && openapi.startsWith('3.0'))
  if (value['paths'] === undefined && needsPaths)
    report([], 'The document has no paths', 'Add `paths`, if need be an empty one')
  checkPaths(value, report)
  for (const { path, reference } of references(value)) {
    if (problems.length >= maxProblems) break
    if (reference.startsWith('#/')) {
      if (!resolves(value, reference)) {
        const message = `The reference ${JSON.stringify(reference.slice(0, 200))} leads to nothing in the document`
        report(path, message, 'Write the name of something that is defined, or define it')
      }
    } else if (reference !== '' && !reference.startsWith('#') && !/^[a-z][a-z\d+.-]*:/i.test(reference)) {
      const file = reference.split('#', 1)[0] ?? ''
      const message = `The reference ${JSON.stringify(reference.slice(0, 200))} leads to a file that is not there`
      problems.push({ line: lineOf(path), message, hint: 'Write the path of a file that exists', file })
    }
  }
  return problems
}

type Report = (path: Path, message: string, hint: string) => void

function checkInfo(value: Readonly<Record<string, unknown>>, report: Report): void {
  const info = isRecord(value['info']) ? value['info'] : {}
  for (const key of ['title', 'version']) {
    const said = info[key]
    if ((typeof said === 'string' && said.trim() !== '') || typeof said === 'number') continue
    report(['info'], `The document has no info.${key}`, `Add \`${key}\` to \`info\``)
  }
}

function checkPaths(document: Readonly<Record<string, unknown>>, report: Report): void {
  const paths = document['paths']
  if (!isRecord(paths)) return
  const operations = new Map<string, string>()
  for (const [address, item] of Object.entries(paths)) {
    if (address.startsWith('x-')) continue
    if (!address.startsWith('/'))
      report(
        ['paths', address],
        `The path ${JSON.stringify(address)} does not start with a slash`,
        'Start it with /',
      )
    if (!isRecord(item) || item['$ref'] !== undefined) continue
    const shared = parametersOf(document, item['parameters'])
    for (const method of methods) {
      const operation = item[method]
      if (!isRecord(operation)) continue
      const at: Path = ['paths', address, method]
      const name = `${method.toUpperCase()} ${address}`
      const id = operation['operationId']
      if (typeof id === 'string') {
        const other = operations.get(id)
        if (other !== undefined)
          report(
            [...at, 'operationId'],
            `${name} has the operationId ${id}, which ${other} has`,
            'Give it another one',
          )
        else operations.set(id, name)
      }
      checkParameters({ address, name, at }, shared, parametersOf(document, operation['parameters']), report)
    }
  }
}

interface Parameters {
  names: Set<string>
  /** Some parameters are defined in another file. */
  partial: boolean
}

function parametersOf(document: unknown, value: unknown): Parameters {
  const parameters: Parameters = { names: new Set(), partial: false }
  if (!Array.isArray(value)) return parameters
  for (const entry of value.filter(isRecord)) {
    const reference = entry['$ref']
    const parameter = typeof reference === 'string' ? resolve(document, reference) : entry
    if (!isRecord(parameter) || typeof parameter['$ref'] === 'string') parameters.partial = true
    else if (parameter['in'] === 'path' && typeof parameter['name'] === 'string')
      parameters.names.add(parameter['name'])
  }
  return parameters
}

function checkParameters(
  { address, name, at }: { address: string; name: string; at: Path },
  shared: Parameters,
  own: Parameters,
  report: Report,
): void {
  const wanted = new Set([...address.matchAll(/\{([^{}/]{1,200})\}/g)].map(([, parameter = '']) => parameter))
  if (!shared.partial && !own.partial) {
    for (const parameter of wanted) {
      if (shared.names.has(parameter) || own.names.has(parameter)) continue
      const hint = `Add { name: ${parameter}, in: path, required: true } to its parameters`
      report(at, `${name} does not declare its path parameter ${JSON.stringify(parameter)}`, hint)
    }
  }
  for (const parameter of own.names) {
    if (wanted.has(parameter)) continue
    const hint = `Write {${parameter}} in the path, or remove the parameter`
    report(
      at,
      `${name} declares the path parameter ${JSON.stringify(parameter)}, which its path does not have`,
      hint,
    )
  }
}

/** Every `$ref` that a tool would follow, which leaves out those in examples. */
function* references(root: unknown): Generator<{ path: Path; reference: string }> {
  const open: { value: unknown; path: Path }[] = [{ value: root, path: [] }]
  const seen = new Set<object>()
  for (let next = open.pop(); next && seen.size < maxNodes; next = open.pop()) {
    const { value, path } = next
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (Array.isArray(value)) {
      for (let at = value.length - 1; at >= 0; at--) open.push({ value: value[at], path: [...path, at] })
      continue
    }
    const entries = Object.entries(value)
    for (let at = entries.length - 1; at >= 0; at--) {
      const [key, child] = entries[at] ?? ['', undefined]
      if (key === '$ref' && typeof child === 'string') yield { path: [...path, key], reference: child }
      else if (!/^(?:example|examples|default|enum|const|x-.*)$/.test(key))
        open.push({ value: child, path: [...path, key] })
    }
  }
}

function resolves(document: unknown, reference: string): boolean {
  return resolve(document, reference) !== undefined
}

function resolve(document: unknown, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined
  let value = document
  for (const part of reference.slice(2).split('/')) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(value)) value = value[Number(key)]
    else if (isRecord(value) && Object.hasOwn(value, key)) value = value[key]
    else return undefined
  }
  return value
}
