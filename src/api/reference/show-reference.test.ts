import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { OpenAPIHono } from '@hono/zod-openapi'
import type { App } from '../endpoint.ts'
import { createMarkdownReader } from '../render/markdown/read-markdown.ts'
import { showReference } from './show-reference.ts'

const openapi = JSON.parse(await readFile('openapi.json', 'utf8')) as { paths: Record<string, object> }
const readMarkdown = createMarkdownReader()

async function pageOf(
  document: object,
  id?: string,
): Promise<{ status: number; text: string; headers: Headers }> {
  const app: App = new OpenAPIHono()
  app.get('/', (context) => {
    context.set('describe', () => document)
    return showReference(
      { readMarkdown, publicUrl: () => 'https://docs.example.com/w' },
      context,
      undefined,
      id,
    )
  })
  const response = await app.request('/')
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const valuesOf = (text: string, name: string) =>
  [...text.matchAll(new RegExp(` ${name}="([^"]+)"`, 'g'))].map(([, value = '']) => value)

it('lists every operation of the document, and has a page for each', async () => {
  const { text, headers } = await pageOf(openapi)
  expect(text).toContain('export DOCWRIGHT_URL=https://docs.example.com/w\n')
  const anchors = valuesOf(text, 'id')
  expect(new Set(anchors).size).toBe(anchors.length)
  const links = valuesOf(text, 'href').filter((href) => href.startsWith('/reference'))
  const [inside, pages] = [
    links.filter((href) => href.includes('#')),
    new Set(links.filter((href) => /\/.+\//.test(href))),
  ]
  expect(inside.filter((href) => !anchors.includes(href.split('#')[1] ?? ''))).toEqual([])
  const count = Object.values(openapi.paths).flatMap((methods) => Object.keys(methods)).length
  expect(pages.size).toBe(count)
  // Who followed a link to a part of the one page that this was, is led on.
  expect([...pages].filter((href) => !anchors.includes(href.slice('/reference/'.length)))).toEqual([])
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(text).not.toMatch(/(?:src|href)="https?:/)
  const page = await pageOf(openapi, 'create-agent-job')
  expect(page.text).toContain('<code>POST /v2/agent/{projectId}/job</code>')
  expect(page.text).toMatch(/aria-current="page"\s*>Create agent job</)
})

// Walks of links in other tests follow three of them.
it('shows pages of operations that lead to no others than there are', async () => {
  const { text } = await pageOf(openapi)
  const pages = new Set(valuesOf(text, 'href').filter((href) => /^\/reference\/[^#]+$/.test(href)))
  expect(pages.size).toBeGreaterThan(100)
  const wrong: string[] = []
  for (const href of [...pages].filter((_, n) => n % 8 === 0)) {
    const page = await pageOf(openapi, href.slice('/reference/'.length))
    if (page.status !== 200) wrong.push(`${page.status} ${href}`)
    for (const link of valuesOf(page.text, 'href'))
      if (link.startsWith('/reference/') && !pages.has(link.replace(/#.*/, '')))
        wrong.push(`${link} on ${href}`)
  }
  expect(wrong).toEqual([])
})

const trial = {
  openapi: '3.1.0',
  info: { title: 'Trial', version: '1', description: 'A trial.' },
  tags: [{ name: 'Agent jobs' }],
  paths: {
    '/v2/agent/{projectId}/x': {
      post: {
        tags: ['Agent jobs'],
        summary: '<b>Try</b>',
        description: 'Say `a & b`.',
        security: [{ adminKey: ['jobs:write'] }],
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Input' } } },
        },
        responses: { 201: { description: 'Done' } },
      },
    },
  },
  components: {
    schemas: {
      Input: {
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
}

it('shows commands that a shell takes as they are', async () => {
  const { text } = await pageOf(trial, '-b-try-b-')
  expect(text).toContain('$DOCWRIGHT_URL/v2/agent/$PROJECT_ID/x')
  expect(text).toContain(String.raw`{&quot;text&quot;:&quot;it&#39;\&#39;&#39;s&quot;,&quot;size&quot;:3}`)
  expect(text).toContain('At least <code>3</code>')
  expect(text).toContain('scopes <code>jobs:write</code>')
  expect(text).toContain('<h1>&lt;b&gt;Try&lt;/b&gt;</h1>')
  expect(text).toContain('<code>a &#x26; b</code>')
})
