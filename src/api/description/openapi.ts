import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { z } from '@hono/zod-openapi'
import { preferredEncoding } from '../accept.ts'
import { basePath } from '../base-path.ts'
import type { App } from '../endpoint.ts'
import { sessionCookieName } from '../session-cookie.ts'
import { headerComponents } from './headers.ts'
import { namedSchemas } from './named-schemas.ts'
import { describe, jsonContent, tags } from './operation.ts'
import { makePortable, toOpenApi30 } from './portable.ts'

const description = `Background agent jobs on a documentation repository, and a documentation assistant whose streamed
replies work with the AI SDK. Errors everywhere are \`{"error": string}\`; the header \`X-Error-Code\` contains a stable code.`

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description }) as const
const schemes = {
  adminKey: bearer('An admin key (`svc_…`) of the organization. Secret: for servers only.'),
  assistantKey: bearer('An assistant key (`svc_dsc_…`) of the project. Public: safe in a web page.'),
  operatorToken: bearer(
    'The operator token, from the file `operator-token` in the data folder. Grants full access.',
  ),
  keyAsPassword: {
    type: 'http',
    scheme: 'basic',
    description: 'A key as the password, with any user name, for git and for tools that read pages.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'docwright_session',
    description:
      'A member’s session, from `POST /admin/session`. The cookie’s name contains the port and path of this server, and a prefix over HTTPS.',
  },
  csrfToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-CSRF-Token',
    description: 'The `csrfToken` of the session. Requests with its cookie that change something need it.',
  },
} as const

/**
 * Serves the document of every registered route.
 * @returns reads the document, which is made once: that takes a while, and everybody may ask for it
 */
export function describeApi(app: App, publicUrl: () => string): () => object {
  for (const [name, header] of headerComponents)
    app.openAPIRegistry.registerComponent('headers', name, header)
  for (const { verb, path, version } of renditions)
    app.openAPIRegistry.registerPath(
      describe(verb, `get ${path}`, {
        tag: 'Server',
        summary: version === '3.1' ? 'This description' : 'This description for older tools',
        description:
          version === '3.1'
            ? 'The description of this API as OpenAPI 3.1. It names every operation, and what each takes and answers.'
            : 'The same as `/openapi.json`, written as OpenAPI 3.0.3 for tools that do not read 3.1.',
        responses: { 200: { description: `OpenAPI ${version}`, content: jsonContent(z.looseObject({})) } },
      }),
    )
  let document: object | undefined
  const read = (): object => (document ??= documentOf(app, publicUrl()))
  for (const { path, version } of renditions) {
    // Half a megabyte that anybody may ask for: printed and compressed once.
    let printed: { plain: Buffer<ArrayBuffer>; compressed: Buffer<ArrayBuffer> } | undefined
    const print = async () => {
      const plain = Buffer.from(JSON.stringify(version === '3.1' ? read() : toOpenApi30(read())))
      return { plain, compressed: await promisify(gzip)(plain) }
    }
    app.get(path, async (context) => {
      const { plain, compressed } = (printed ??= await print())
      const headers = { 'Content-Type': 'application/json', Vary: 'Accept-Encoding' }
      return preferredEncoding(context, ['gzip']) === 'gzip'
        ? context.body(compressed, 200, { ...headers, 'Content-Encoding': 'gzip' })
        : context.body(plain, 200, headers)
    })
  }
  return read
}

const renditions = [
  { verb: 'getDescription', path: '/openapi.json', version: '3.1' },
  { verb: 'getOlderDescription', path: '/openapi-3.0.json', version: '3.0' },
] as const

function documentOf(app: App, publicUrl: string): object {
  // Before a server listens, nobody has a session.
  const sessionCookie = { ...schemes.session, name: sessionCookieName(publicUrl || 'http://localhost') }
  for (const [name, scheme] of Object.entries({ ...schemes, session: sessionCookie }))
    app.openAPIRegistry.registerComponent('securitySchemes', name, scheme)
  const { openAPIRegistry: registry } = app
  const routes = registry.definitions.flatMap((one) =>
    'type' in one && one.type === 'route' ? [one.route] : [],
  )
  // Copies: what was made before the library of the document was loaded lacks its methods, and modules that do not need it
  // may come first.
  for (const [name, schema] of namedSchemas(routes)) registry.register(name, schema.clone())
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Docwright',
      version: '2.0.0',
      description,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: basePath() || '/' }],
    tags: Object.entries(tags).map(([name, about]) => ({ name, description: about })),
  })
  return Object(makePortable(inOrder(document)))
}

type Document = ReturnType<App['getOpenAPI31Document']>

/** In the order of groups, then of names, which is the same however parts of the server are put together. */
function inOrder(document: Document): Document {
  const groups = Object.keys(tags)
  const groupOf = (operations: object): number =>
    Math.min(...Object.values(operations).map(({ tags: [tag = ''] }) => groups.indexOf(tag)))
  const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1)
  const paths = Object.entries(document.paths ?? {})
    .toSorted(byName)
    .toSorted(([, a], [, b]) => groupOf(a) - groupOf(b))
  const schemas = Object.entries(document.components?.schemas ?? {}).toSorted(byName)
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...document.components, schemas: Object.fromEntries(schemas) },
  }
}
