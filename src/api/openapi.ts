import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { z } from '@hono/zod-openapi'
import { basePath } from './base-path.ts'
import type { App } from './endpoint.ts'
import { takesGzip } from './entity-tag.ts'
import { describe, jsonContent, tags } from './operation.ts'

const description = `Background agent jobs on a documentation repository, and a documentation assistant whose streamed
replies work with the AI SDK. Errors everywhere are \`{"error": string}\`; the header \`X-Error-Code\` holds a stable code.`

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description }) as const
const schemes = {
  adminKey: bearer('An admin key (`svc_…`) of the organization. Secret: for servers only.'),
  assistantKey: bearer('An assistant key (`svc_dsc_…`) of the project. Public: safe in a web page.'),
  operatorToken: bearer('What the file `operator-token` of the data folder holds. It opens everything.'),
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'docwright_session',
    description:
      'A person’s session, from `POST /admin/session`. The cookie’s name also holds the server’s port. Requests that change something also need the session’s `csrfToken` as `X-CSRF-Token`.',
  },
} as const

/**
 * Serves the document of every registered route at `/openapi.json`.
 * @returns reads the document, which is made once: that takes a while, and everybody may ask for it
 */
export function describeApi(app: App): () => object {
  for (const [name, scheme] of Object.entries(schemes))
    app.openAPIRegistry.registerComponent('securitySchemes', name, scheme)
  app.openAPIRegistry.registerPath(
    describe('getDescription', 'get /openapi.json', {
      tag: 'Server',
      summary: 'This description',
      responses: { 200: { description: 'OpenAPI 3.1', content: jsonContent(z.object({})) } },
    }),
  )
  let document: object | undefined
  const read = (): object => (document ??= documentOf(app))
  // Half a megabyte that anybody may ask for: printed and compressed once.
  let printed: { plain: Buffer<ArrayBuffer>; compressed: Buffer<ArrayBuffer> } | undefined
  const print = async () => {
    const plain = Buffer.from(JSON.stringify(read()))
    return { plain, compressed: await promisify(gzip)(plain) }
  }
  app.get('/openapi.json', async (context) => {
    const { plain, compressed } = (printed ??= await print())
    const headers = { 'Content-Type': 'application/json', Vary: 'Accept-Encoding' }
    return takesGzip(context)
      ? context.body(compressed, 200, { ...headers, 'Content-Encoding': 'gzip' })
      : context.body(plain, 200, headers)
  })
  return read
}

function documentOf(app: App): object {
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Docwright',
      version: '2.0.0',
      description,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: basePath() || '/' }],
    tags: tags.map((name) => ({ name })),
  })
}
