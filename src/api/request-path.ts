import { getPath } from 'hono/utils/url'

const apiPath = /^\/+(?:api\/)?((?:discovery|v\d|mcp|\.well-known)(?:\/.*)?)$/s
// A proxy that keeps others away from administration must not have to know of more forms.
const adminPath = /^\/(admin(?:\/.*)?)$/s
const readerPath = /^v\d\/(?:assistant|search|page)\//

const toolPath = /^mcp\/([^/]+)\/mcp$/
const docsToolPath = /^\/docs\/([^/]+)\/mcp\/*$/

/**
 * The path of a request in the form in which its endpoint is described, so that routes, limits, CORS and traces know
 * each endpoint by one address. Clients also write addresses of the API without `/discovery`, below `/api`, with a
 * slash at the end, and with two slashes behind a base address that ends in one. Clients of the Model Context Protocol
 * write `/mcp` behind the address of a documentation and of its tools.
 */
export function canonicalPath(request: Request): string {
  const path = getPath(request)
  const inside = (apiPath.exec(path) ?? adminPath.exec(path))?.[1]?.replace(/(?<!\/)\/+$/, '')
  if (inside === undefined) return speaksTools(request) ? path.replace(docsToolPath, '/mcp/$1') : path
  if (inside === '.well-known/mcp') return '/.well-known/mcp.json'
  // Below a path of a host, clients write that path behind the address (RFC 8414, 3.1).
  if (inside.startsWith('.well-known/oauth-authorization-server/'))
    return '/.well-known/oauth-authorization-server'
  const tools = toolPath.exec(inside)
  if (tools) return `/mcp/${tools[1]}`
  return `/${readerPath.test(inside) ? 'discovery/' : ''}${inside}`
}

/** Whether a request is not one for a page, which a site may have at the same address. */
function speaksTools({ method, headers }: Request): boolean {
  if (method === 'GET') return (headers.get('accept') ?? '').trim() === 'text/event-stream'
  return method !== 'HEAD'
}
