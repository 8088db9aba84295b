import { html } from 'hono/html'
import { type Description, readDescription } from '../../site/openapi/description.ts'
import { lineOf, type Operation, operationsOf, keysOf } from '../../site/openapi/operations.ts'
import { writeOperation } from '../../site/openapi/write-operation.ts'
import type { Endpoint, RequestContext, Visitor } from '../endpoint.ts'
import { copyableBlock } from '../frame/html/form.ts'
import type { Html } from '../frame/html/html.ts'
import { noSuchPage } from '../frame/html/error-page.ts'
import { show } from '../frame/html/respond.ts'
import type { Pages } from '../frame/pages.ts'
import type { ReadMarkdown } from '../render/markdown/read-markdown.ts'
import { renderMarkdown } from '../render/markdown/render-markdown.ts'
import { curlCommand } from './curl-command.ts'

interface ReferencePorts {
  readMarkdown: ReadMarkdown
  publicUrl(): string
}

/**
 * Shows the OpenAPI document as pages for people, which load nothing from other servers: a list of the operations, and a
 * page for each, made as that of any operation that a site describes.
 */
export function showReferenceEndpoints(pages: Pages, ports: ReferencePorts): Endpoint[] {
  return [
    pages.openPage('/reference', async ({ context, session }) => showReference(ports, context, session)),
    pages.openPage('/reference/:operation', async ({ context, session }) =>
      showReference(ports, context, session, context.req.param('operation')),
    ),
  ]
}

/** @param id of the operation; undefined for the list of them */
export async function showReference(
  { readMarkdown, publicUrl }: ReferencePorts,
  context: RequestContext,
  session: Visitor | undefined,
  id?: string,
): Promise<Response> {
  const { description, byTag } = await referenceOf(context.get('describe')())
  const operation = [...byTag.values()].flat().find(({ title }) => idOf(title) === id)
  if (id !== undefined && operation === undefined) throw noSuchPage()
  const page =
    operation === undefined
      ? html`<h1>API reference</h1>
          ${await renderMarkdown(readMarkdown, 'reference', introduction(description))}
          <pre tabindex="0"><code>export DOCWRIGHT_URL=${publicUrl()}
export PROJECT_ID=prj_… DOMAIN=docs
export DOCWRIGHT_ADMIN_KEY=svc_… DOCWRIGHT_ASSISTANT_KEY=svc_dsc_…
export DOCWRIGHT_OPERATOR_TOKEN=$(cat data/operator-token)</code></pre>
          ${[...byTag].map(([tag, operations]) => listed(tag, operations))}`
      : html`<h1>${operation.title}</h1>
          <h2>Request and answer</h2>
          <div class="prose">
            ${await renderMarkdown(readMarkdown, 'reference', writeOperation(description, operation))}
          </div>
          <h2>Command</h2>
          ${copyableBlock(curlCommand(description, operation), 'the command')}`
  return show(
    context,
    { title: operation?.title ?? 'API reference', session },
    html`<div class="reference">
      <nav class="pages" aria-label="Operations">
        <p class="folder"><a href="/reference">API reference</a></p>
        ${[...byTag].map(([tag, operations]) => contents(tag, operations, id))}
      </nav>
      <div>${page}</div>
    </div>`,
  )
}

interface Reference {
  description: Description
  byTag: ReadonlyMap<string, readonly Operation[]>
}

/** A server has only one document, and everybody may ask for it. */
const read = new WeakMap<object, Promise<Reference>>()

function referenceOf(document: object): Promise<Reference> {
  const known = read.get(document) ?? readReference(document)
  read.set(document, known)
  return known
}

async function readReference(document: object): Promise<Reference> {
  const noFile = (): Promise<undefined> => Promise.resolve(undefined)
  const description = await readDescription('openapi.json', JSON.stringify(document), noFile)
  if (description === undefined) throw new Error('this server’s own description is no OpenAPI document')
  return { description, byTag: operationsByTag(description) }
}

/** In the order of the document's tags. */
function operationsByTag(description: Description): Map<string, Operation[]> {
  const { root, child, elements } = description
  const all = Map.groupBy(operationsOf(description), ({ tag }) => tag)
  const tags = elements(child(root, 'tags')).flatMap((tag) => lineOf(child(tag, 'name')?.value) ?? [])
  return new Map(tags.map((tag) => [tag, all.get(tag) ?? []]))
}

function introduction({ root, child }: Description): string {
  const info = child(root, 'info')
  const schemes = child(child(root, 'components'), 'securitySchemes')
  const version = lineOf(child(info, 'version')?.value) ?? ''
  return [
    lineOf(child(info, 'description')?.value) ?? '',
    `Version ${version}. Also available as OpenAPI 3.1 at \`/openapi.json\`. The example commands use these variables.`,
    ...keysOf(schemes).map(
      (name) => `- ${lineOf(child(child(schemes, name), 'description')?.value) ?? name}`,
    ),
  ].join('\n\n')
}

function contents(tag: string, operations: readonly Operation[], shown: string | undefined): Html {
  return html`<p class="folder"><a href="/reference#${idOf(tag)}">${tag}</a></p>
    <ul>
      ${operations.map(
        ({ title }) =>
          html`<li>
            <a href="/reference/${idOf(title)}" ${idOf(title) === shown ? html`aria-current="page"` : ''}
              >${title}</a
            >
          </li>`,
      )}
    </ul>`
}

function listed(tag: string, operations: readonly Operation[]): Html {
  return html`<h2 id="${idOf(tag)}">${tag}</h2>
    <ul>
      ${operations.map(
        ({ title, key }) =>
          html`<li id="${idOf(title)}">
            <a href="/reference/${idOf(title)}">${title}</a> <code>${key}</code>
          </li>`,
      )}
    </ul>`
}

function idOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}
