import { inflateSync } from 'node:zlib'
import { isRecord } from '../../lib/is-record.ts'
import { readFrontMatter } from '../markdown/front-matter.ts'
import type { Site } from '../site.ts'
import { folderOf, resolvePath } from '../text/paths.ts'
import { isRemote } from './remote.ts'
import { readKey } from './operations.ts'

/** An operation that a page shows. */
export interface ShownOperation {
  /** A file or an address of the web. Undefined where the page leaves it to the site to find the description. */
  file: string | undefined
  key: string
  /** A description of this operation alone that the page brings along; its text is made of that. */
  own?: string
}

const maxShown = 50

/** The operations that a page names to be shown in it: front matter of Mintlify, blocks of GitBook, pages that Docusaurus has had made. */
export function shownOperations(site: Site, path: string, source: string): ShownOperation[] {
  const data: Readonly<Record<string, unknown>> = /openapi|^api:/m.test(source)
    ? readFrontMatter(source).data
    : {}
  const operations = [...operationOf(site, data['openapi']), ...madeOperation(site, data)]
  if (site.framework !== 'gitbook') return operations
  for (const line of source.split('\n')) {
    if (operations.length >= maxShown) break
    if (!/^\s{0,9}\{% (?:openapi|openapi-operation|swagger) /.test(line)) continue
    const attributes = new Map<string, string>()
    for (const [, name = '', value = ''] of line
      .slice(0, 2000)
      .matchAll(/\b(src|path|method)="([^"]{0,500})"/g))
      attributes.set(name, value)
    const [src, method, target] = ['src', 'method', 'path'].map((name) => attributes.get(name))
    const key = readKey(`${method ?? ''} ${target ?? ''}`)?.key
    if (key === undefined) continue
    operations.push({ key, file: placeOf(src, (file) => resolvePath(folderOf(path), file)) })
  }
  return operations
}

const shownWhole =
  /^\s{0,9}<(?:redoc|redocstandalone|swagger-ui|swaggerui|rapi-doc|elements-api|scalar-api-reference|apireference)\s/i
const namedFile = /\b(?:spec-?url|src|url|apidescriptionurl|data-url)=["']([^"'\s<>`()[\]]{1,500})["']/i

/** The description that a page has a tag of Redoc, Swagger UI and the like for: the end of its path, or its address. */
export function shownDescription(source: string): string | undefined {
  if (!/<(?:redoc|swagger|rapi|elements|scalar|api)/i.test(source)) return undefined
  const line = source.split('\n').find((one) => shownWhole.test(one))
  const named = namedFile.exec(line?.slice(0, 2000) ?? '')?.[1]
  if (named === undefined) return undefined
  return isRemote(named) ? named : named.replace(/^(?:\.{0,2}\/)+/, '')
}

/** `openapi: /api.json GET /users/{id}` */
function operationOf(site: Site, openapi: unknown): ShownOperation[] {
  const named = typeof openapi === 'string' ? readKey(openapi) : undefined
  return named === undefined
    ? []
    : [{ key: named.key, file: placeOf(named.file, (file) => resolvePath(site.root, file)) }]
}

function placeOf(
  named: string | undefined,
  resolve: (file: string) => string | undefined,
): string | undefined {
  return named === undefined || isRemote(named) ? named : resolve(named)
}

/** Bytes of an operation when it is unpacked. */
const maxOwn = 2_000_000

/** The plug-in of Docusaurus writes the operation into the front matter of the page that it makes, packed or as it is. */
function madeOperation(
  site: Site,
  { api, description: said }: Readonly<Record<string, unknown>>,
): ShownOperation[] {
  if (site.framework !== 'docusaurus') return []
  const packed = typeof api === 'string' ? unpacked(api) : api
  if (!isRecord(packed)) return []
  const { method, path, info, servers, securitySchemes, description, ...rest } = packed
  // The page has it above already.
  const operation = description === said ? rest : { ...rest, description }
  const key = readKey(`${String(method)} ${String(path)}`)?.key
  if (key === undefined || typeof method !== 'string' || typeof path !== 'string') return []
  const own = {
    openapi: '3.0.0',
    info,
    servers,
    components: { securitySchemes },
    paths: { [path]: { [method.toLowerCase()]: operation } },
  }
  return [{ key, file: undefined, own: JSON.stringify(own) }]
}

function unpacked(text: string): unknown {
  if (!/^eJ[\w+/=]{1,1000000}$/.test(text)) return undefined
  try {
    return JSON.parse(inflateSync(Buffer.from(text, 'base64'), { maxOutputLength: maxOwn }).toString())
  } catch {
    return undefined
  }
}
