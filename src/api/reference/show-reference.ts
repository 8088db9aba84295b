import { html } from 'hono/html'
import type { Endpoint, RequestContext, Visitor } from '../endpoint.ts'
import type { Html } from '../frame/html/html.ts'
import { show } from '../frame/html/respond.ts'
import type { Pages } from '../frame/pages.ts'
import { operationsByTag, responseObjects, type ApiDocument, type PlacedOperation } from './document.ts'
import { inlineText, objectTable } from './field-table.ts'
import { operationSection } from './operation.ts'

/** Shows the OpenAPI document as a page for people, which loads nothing from other servers. */
export function showReferenceEndpoint(pages: Pages): Endpoint {
  return pages.openPage('/reference', ({ context, session }) =>
    // The document is made from this server's routes, so its shape is known.
    showReference(context, session, context.get('describe')() as ApiDocument),
  )
}

export async function showReference(
  context: RequestContext,
  session: Visitor | undefined,
  document: ApiDocument,
): Promise<Response> {
  const known = printed.get(document) ?? body(document)
  printed.set(document, known)
  return show(context, { title: 'API reference', session }, known)
}

/** It is long, everybody may ask for it, and a server has only one document. */
const printed = new WeakMap<ApiDocument, Html>()

function body(document: ApiDocument): Html {
  const tags = operationsByTag(document)
  const objects = responseObjects(document)
  return html`<h1>API reference</h1>
    <p>${inlineText(document.info.description)}</p>
    <p>
      Version ${document.info.version}. The same as <a href="/openapi.json">OpenAPI 3.1</a> for programs. The
      commands expect these variables:
    </p>
    <pre tabindex="0"><code>export DOCWRIGHT_URL=http://127.0.0.1:4000
export PROJECT_ID=prj_… DOMAIN=docs
export DOCWRIGHT_ADMIN_KEY=svc_… DOCWRIGHT_ASSISTANT_KEY=svc_dsc_…
export DOCWRIGHT_OPERATOR_TOKEN=$(cat data/operator-token)</code></pre>
    <ul>
      ${Object.values(document.components.securitySchemes).map(({ description }) => html`<li>${inlineText(description)}</li>`)}
    </ul>
    <div class="reference">
      <nav class="pages" aria-label="Operations">
        ${[...tags].map(([tag, operations]) => contents(tag, operations))}
        <p class="folder"><a href="#objects">Objects</a></p>
        <ul>
          ${objects.map(([name]) => html`<li><a href="#object-${name}">${name}</a></li>`)}
        </ul>
      </nav>
      <div>
        ${[...tags].map(
          ([tag, operations]) =>
            html`<h2 id="${anchorOf(tag)}">${tag}</h2>
              ${operations.map((placed) => operationSection(document, placed))}`,
        )}
        <h2 id="objects">Objects</h2>
        ${objects.map(
          ([name, schema]) =>
            html`<section class="operation" id="object-${name}">
              <h3><a href="#object-${name}">${name}</a></h3>
              ${objectTable(name, schema)}
            </section>`,
        )}
      </div>
    </div>`
}

function contents(tag: string, operations: PlacedOperation[]): Html {
  return html`<p class="folder"><a href="#${anchorOf(tag)}">${tag}</a></p>
    <ul>
      ${operations.map(({ anchor, operation, path }) => html`<li><a href="#${anchor}">${operation.summary ?? path}</a></li>`)}
    </ul>`
}

function anchorOf(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-')
}
