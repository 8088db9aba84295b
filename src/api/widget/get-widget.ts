import { AppError } from '../../lib/errors.ts'
import { preferredEncoding } from '../accept.ts'
import type { Endpoint, RequestContext } from '../endpoint.ts'
import { hasVersion } from '../entity-tag.ts'

export interface WidgetFile {
  /** Of the content. */
  hash: string
  content: Uint8Array<ArrayBuffer>
  gzip: Uint8Array<ArrayBuffer>
  brotli: Uint8Array<ArrayBuffer>
}

/** `widget.js` is for script tags, `widget.mjs` for sites that import it. */
export const widgetNames = ['widget.js', 'widget.mjs'] as const
export type WidgetName = (typeof widgetNames)[number]

/** @throws AppError `unavailable` where the widget is not built */
export type ReadWidget = (name: WidgetName) => Promise<WidgetFile>

/** With a hash of the content, so that browsers may keep it for ever. */
export async function widgetUrl(read: ReadWidget, name: WidgetName): Promise<string> {
  const { hash } = await read(name)
  return `/${name}?v=${hash}`
}

/** The widget for other sites: any page may load it. */
export function widgetEndpoints({ readWidget }: { readWidget: ReadWidget }): Endpoint[] {
  return widgetNames.map((name) => ({
    route: { method: 'get', path: `/${name}`, hide: true, responses: { 200: { description: 'The widget' } } },
    handle: async (context) => send(context, await readWidget(name)),
  }))
}

function send(context: RequestContext, file: WidgetFile): Response {
  const tag = `W/"${file.hash}"`
  const wanted = context.req.query('v')
  if (wanted !== undefined && !/^[0-9a-f]{12}$/.test(wanted))
    throw new AppError('invalid', '`v` is the hash of a widget; leave it out for the present one')
  const encoding = preferredEncoding(context, ['br', 'gzip'])
  const headers = {
    'Content-Type': 'text/javascript; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Cache-Control':
      wanted === file.hash
        ? 'public, max-age=31536000, immutable'
        : 'public, max-age=600, stale-while-revalidate=86400',
    ETag: tag,
    Vary: 'Accept-Encoding',
  }
  if (hasVersion(context, `"${file.hash}"`)) return context.body(null, 304, headers)
  if (encoding === 'identity') return context.body(file.content, 200, headers)
  return context.body(file[encoding === 'br' ? 'brotli' : 'gzip'], 200, {
    ...headers,
    'Content-Encoding': encoding,
  })
}
