import { showDocsEndpoint, showDocsImageEndpoint } from '../api/docs/show-docs.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { getAssetEndpoint } from '../api/frame/get-asset.ts'
import { noSuchPage } from '../api/frame/html/error-page.ts'
import type { Pages } from '../api/frame/pages.ts'
import { showReferenceEndpoints } from '../api/reference/show-reference.ts'
import { streamChangesEndpoints } from '../api/live/stream-changes.ts'
import { nounPages } from './nouns.ts'

/** What makes the pages for browsers, in the order in which addresses are looked up. */
const makers = [
  getAssetEndpoint,
  nounPages,
  streamChangesEndpoints,
  showReferenceEndpoints,
  showDocsImageEndpoint,
  showDocsEndpoint,
] as const

/** What all of them need together. */
type Ports = [(typeof makers)[number]] extends [(pages: Pages, ports: infer P) => unknown] ? P : never

/** Every page for browsers: the dashboard and the rendered documentation. */
export function pageEndpoints(pages: Pages, ports: Ports): Endpoint[] {
  return [
    ...makers.flatMap((make) => make(pages, ports)),
    // Comes last, for addresses that no page above has.
    pages.page('/projects/*', 'listProjects', () => Promise.reject(noSuchPage())),
  ]
}
