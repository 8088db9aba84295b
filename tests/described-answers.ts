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

function operationAt(method: string, url: string): (typeof operations)[number] | undefined {
  const { pathname } = new URL(url, 'http://localhost')
  return operations.find((one) => one.method === method.toLowerCase() && one.pattern.test(pathname))
}

/** What of a value is not as the document has it, or undefined. */
function differenceOf(
  { path, method }: (typeof operations)[number],
  { status, type, part }: { status: number; type: string; part: 'schema' | 'x-item-schema' },
  value: unknown,
): string | undefined {
  const pointer = ['paths', path, method, 'responses', status, 'content', type, part]
    .map((one) => encodeURIComponent(String(one).replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/')
  const check = ajv.getSchema(`api#/${pointer}`) ?? ajv.compile({ $ref: `api#/${pointer}` })
  if (check(value)) return undefined
  return `${method} ${path}: ${status} is described otherwise: ${ajv.errorsText(check.errors)}`
}

/**
 * Whether an answer is one that `openapi.json` describes: its status, its media type and what it holds.
 * @returns what is wrong, or undefined; also where the document has no such operation
 */
export async function undescribed(
  method: string,
  url: string,
  response: Response,
): Promise<string | undefined> {
  const found = operationAt(method, url)
  if (!found) return undefined
  const { status } = response
  const where = `${found.method} ${found.path}: ${status}`
  const described = found.operation.responses[status]
  if (!described) return `${where} is not described: ${await response.clone().text()}`
  const type = response.headers.get('content-type')?.split(';')[0] ?? ''
  if (!described.content)
    return type === '' ? undefined : `${where} is described without content, but is ${type}`
  if (!(type in described.content))
    return `${where} is described as ${Object.keys(described.content).join(', ')}, not ${type}`
  if (type !== 'application/json') return undefined
  return differenceOf(found, { status, type, part: 'schema' }, await response.clone().json())
}

/** The same for the text of an event stream, whose events the document describes. */
export function undescribedEvent(method: string, url: string, text: string): string | undefined {
  const type = 'text/event-stream'
  const found = operationAt(method, url)
  if (!found?.operation.responses['200']?.content?.[type]) return undefined
  // The last line of a stream that was cut off may be half an event.
  const lines = text.split('\n').slice(0, -1)
  for (const [index, line] of lines.entries()) {
    // The end of a stream is no event of the job.
    if (lines[index - 1] === 'event: end') continue
    const data = /^data: (\{.*\})\r?$/.exec(line)?.[1]
    const wrong =
      data === undefined
        ? undefined
        : differenceOf(found, { status: 200, type, part: 'x-item-schema' }, JSON.parse(data))
    if (wrong !== undefined) return `${wrong}: ${data}`
  }
  return undefined
}
