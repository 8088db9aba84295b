import { getPath } from 'hono/utils/url'

const apiPath = /^\/+(?:api\/)?((?:discovery|v\d|mcp|\.well-known)(?:\/.*)?)$/s
// A proxy that keeps others away from administration must not have to know of more forms.
const adminPath = /^\/(admin(?:\/.*)?)$/s
const readerPath = /^v\d\/(?:assistant|search|page)\//

/**
 * The path of a request in the form in which its endpoint is described, so that routes, limits, CORS and traces know
 * each endpoint by one address. Clients also write addresses of the API without `/discovery`, below `/api`, with a
 * slash at the end, and with two slashes behind a base address that ends in one.
 */
export function canonicalPath(request: Request): string {
  const path = getPath(request)
  const inside = (apiPath.exec(path) ?? adminPath.exec(path))?.[1]?.replace(/(?<!\/)\/+$/, '')
  if (inside === undefined) return path
  if (inside === '.well-known/mcp') return '/.well-known/mcp.json'
  return `/${readerPath.test(inside) ? 'discovery/' : ''}${inside}`
}
