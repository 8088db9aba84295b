import type { Endpoint } from '../endpoint.ts'
import { assets } from './assets/assets.ts'
import { noSuchPage } from './html/error-page.ts'
import { securePage } from './html/respond.ts'
import type { Pages } from './pages.ts'

export function getAssetEndpoint(pages: Pages): Endpoint {
  return pages.browserEndpoint('get', '/assets/{name}', async (context) => {
    const asset = assets.get(context.req.param('name') ?? '')
    if (!asset) throw noSuchPage()
    securePage(context)
    context.header('Content-Type', asset.type)
    const known = context.req.query('v') === asset.hash
    context.header('Cache-Control', known ? 'public, max-age=31536000, immutable' : 'no-cache')
    return context.body(asset.content)
  })
}
