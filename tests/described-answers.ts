import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

interface Described {
  responses: Record<string, { content?: Record<string, object>; headers?: object }>
}

const document = JSON.parse(readFileSync(resolve(import.meta.dirname, '../openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Described>>
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(document, 'api')

const operations = Object.entries(document.paths)
  // What is written out comes before what has a name in its place.
  .toSorted(([one], [other]) => one.split('{').length - other.split('{').length)
  .flatMap(([path, methods]) => {
    const escaped = path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')
    const pattern = new RegExp(`^${escaped.replace('/discovery', '(?:/discovery)?')}$`)
    return Object.entries(methods).map(([method, operation]) => ({ path, pattern, method, operation }))
  })

/**
 * Whether an answer is one that `openapi.json` describes: its status, its media type and what it holds.
 * @returns what is wrong, or undefined; also where the document has no such operation
 */
export async function undescribed(
  method: string,
  url: string,
  response: Response,
): Promise<string | undefined> {
  const { pathname } = new URL(url, 'http://localhost')
  const found = operations.find((one) => one.method === method.toLowerCase() && one.pattern.test(pathname))
  if (!found) return undefined
  const { status } = response
  const where = `${found.method} ${found.path}: ${status}`
  const described = found.operation.responses[status]
  if (!described) return `${where} is not described: ${await response.clone().text()}`
  const type = response.headers.get('content-type')?.split(';')[0] ?? ''
  if (!described.content)
    return type === '' ? undefined : `${where} is described without content, but is ${type}`
  if (!(type in described.content))
    return `${where} is described as ${Object.keys(described.content)}, not ${type}`
  if (type !== 'application/json') return undefined
  const pointer = ['paths', found.path, found.method, 'responses', status, 'content', type, 'schema']
    .map((part) => encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/')
  const check = ajv.getSchema(`api#/${pointer}`) ?? ajv.compile({ $ref: `api#/${pointer}` })
  const body: unknown = await response.clone().json()
  return check(body) ? undefined : `${where} is described otherwise: ${ajv.errorsText(check.errors)}`
}
