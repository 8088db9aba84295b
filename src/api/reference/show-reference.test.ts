import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { OpenAPIHono } from '@hono/zod-openapi'
import type { App } from '../endpoint.ts'
import type { ApiDocument } from './document.ts'
import { showReference } from './show-reference.ts'

const openapi = JSON.parse(await readFile('openapi.json', 'utf8')) as ApiDocument

async function pageOf(document: ApiDocument): Promise<{ text: string; headers: Headers }> {
  const app: App = new OpenAPIHono()
  app.get('/', (context) => showReference(context, undefined, document))
  const response = await app.request('/')
  return { text: await response.text(), headers: response.headers }
}

it('shows every operation of the document, each at an address of its own, and no link leads nowhere', async () => {
  const { text, headers } = await pageOf(openapi)
  for (const path of Object.keys(openapi.paths)) expect(text).toContain(`<code>${path}</code>`)
  const anchors = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(anchors).size).toBe(anchors.length)
  const links = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  expect(links.length).toBeGreaterThan(50)
  expect(links.filter((id) => !anchors.includes(id))).toEqual([])
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(text).not.toMatch(/(?:src|href)="https?:/)
})

it('prints a document once, however often it is asked for', async () => {
  let reads = 0
  const document: ApiDocument = {
    ...openapi,
    get paths() {
      reads++
      return openapi.paths
    },
  }
  const { text } = await pageOf(document)
  const first = reads
  expect((await pageOf(document)).text).toBe(text)
  expect([first > 0, reads]).toEqual([true, first])
})

it('shows commands that a shell takes as they are', async () => {
  const { text } = await pageOf({
    ...openapi,
    paths: {
      '/v2/agent/{projectId}/x': {
        post: {
          tags: ['Agent jobs'],
          summary: '<b>Try</b>',
          description: 'Say `a & b`.',
          security: [{ adminKey: ['jobs:write'] }],
          requestBody: {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: {
                    text: { type: 'string', example: "it's" },
                    size: { type: 'integer', minimum: 3, maximum: 9, default: 4 },
                    left: { type: 'string' },
                  },
                  required: ['text', 'size'],
                },
              },
            },
          },
          responses: { 201: { description: 'Done' } },
        },
      },
    },
  })
  expect(text).toContain('$DOCWRIGHT_URL/v2/agent/$PROJECT_ID/x')
  expect(text).toContain(String.raw`{&quot;text&quot;:&quot;it&#39;\&#39;&#39;s&quot;,&quot;size&quot;:3}`)
  expect(text).toContain('3 to 9')
  expect(text).toContain('scope jobs:write')
  expect(text).toContain('&lt;b&gt;Try&lt;/b&gt;')
  expect(text).toContain('<code>a &amp; b</code>')
})
