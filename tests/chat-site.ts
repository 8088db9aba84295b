import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'

const installed = resolve(import.meta.dirname, '../node_modules')
/** Only long runs have chats in a browser, and install what those need. */
const chats = resolve(import.meta.dirname, 'browser-chats')

/**
 * The script of a page with a chat of AI SDK, for browsers.
 * @param react the folder of the release of `@ai-sdk/react`
 * @param ai the folder of the release of `ai`, where it is not the one that came with that
 */
export async function bundleChat(react: string, script: string, ai?: string): Promise<string> {
  if (!existsSync(join(chats, 'node_modules')))
    await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund'], { cwd: chats })
  const folder = join(chats, 'node_modules', react)
  // As if it stood in the package: its own version of `ai` is found from there.
  const entry = join(folder, 'chat.js')
  const build = await rolldown({
    input: entry,
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    resolve: {
      alias: { '@ai-sdk/react': folder, ...(ai !== undefined && { ai: join(installed, ai) }) },
    },
    logLevel: 'silent',
    plugins: [
      {
        name: 'chat',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? script : null),
      },
    ],
  })
  const { output } = await build.generate({ format: 'iife' })
  return output[0].code
}

/**
 * A site of its own origin with one page that runs a script.
 * @param rest answers whatever is below `/api/`
 */
export async function serveSite(
  script: string,
  rest?: RequestListener,
): Promise<AsyncDisposable & { url: string }> {
  const site = createServer((request, response) => {
    if (rest && request.url?.startsWith('/api/')) return rest(request, response)
    const isScript = request.url === '/chat.js'
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
    response.end(isScript ? script : '<!doctype html><body><script defer src="/chat.js"></script></body>')
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  const address = site.address()
  if (address === null || typeof address === 'string') throw new Error('The site has no port')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    [Symbol.asyncDispose]: async () => {
      site.closeAllConnections()
      site.close()
      await once(site, 'close')
    },
  }
}
