import type { Repository } from '../../integrations/git/git.ts'
import { openBlobReader } from '../../integrations/git/trees/blob-reader.ts'
import { isObjectId } from '../../integrations/git/object-id.ts'
import type { RequestContext } from '../endpoint.ts'
import { noSuchPage } from '../frame/html/error-page.ts'
import { securePage } from '../frame/html/respond.ts'

const largest = 10 * 1024 * 1024

/** Sends the image that the path names by its content. @throws AppError `not_found` for anything else */
export async function sendImage(context: RequestContext, open: () => Promise<Repository>): Promise<Response> {
  const oid = context.req.param('oid') ?? ''
  if (!isObjectId(oid)) throw noSuchPage()
  await using reader = await openBlobReader(await open(), {
    maxBytes: largest,
    deadline: 20_000,
  })
  const blob = await reader.read(oid)
  const type = blob.state === 'read' ? typeOf(blob.content) : undefined
  if (blob.state !== 'read' || type === undefined) throw noSuchPage()
  securePage(context)
  // An SVG that is opened by itself is a document: it may do nothing but show itself.
  context.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
  context.header('Content-Type', type)
  context.header('Cache-Control', 'private, max-age=86400, immutable')
  return context.body(new Uint8Array(blob.content))
}

const signatures: readonly [type: string, start: RegExp][] = [
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF....WEBP/s],
  ['image/avif', /^....ftypavi[fs]/s],
  ['image/svg+xml', /^(?:\xef\xbb\xbf)?\s*(?:<\?xml|<!--|<!DOCTYPE svg|<svg[\s>])/i],
]

/** By what the content is, whatever its name says; undefined for what is no image. */
function typeOf(content: Buffer): string | undefined {
  const start = content.toString('latin1', 0, 1000)
  const type = signatures.find(([, signature]) => signature.test(start))?.[0]
  if (type === 'image/svg+xml' && !/<svg[\s>]/i.test(content.toString('latin1', 0, 100_000))) return undefined
  return type
}
