import { AppError } from '../lib/errors.ts'

/**
 * The path below which people reach this server, such as `/docwright`; empty at the root of a host. It is a fact of the
 * process, so whatever prints an address may ask without being handed it.
 *
 * Inside the server no address has this path. It is taken off where a request comes in (`start/listen/`), and put before
 * every address that leaves: in pages (`dashboard/html/print-html.ts`) and in headers (`placeHeaders`). So no link, form
 * or redirect knows of it, and a proxy may strip it or keep it.
 */
let base = ''

/**
 * Sets the path once, at the start.
 * @param publicUrl without a slash at the end
 * @param paths all that the server answers at
 * @throws AppError `invalid` when an address could be meant with and without the path
 */
export function setBasePath(publicUrl: string, paths: readonly string[]): void {
  const path = new URL(publicUrl).pathname.replace(/\/$/, '')
  const taken = new Set(paths.map(firstOf))
  if (path !== '' && taken.has(firstOf(path)))
    throw new AppError(
      'invalid',
      `DOCWRIGHT_PUBLIC_URL has the path ${path}, and /${firstOf(path)} is a path of the server itself. Choose another path, for example /docwright`,
    )
  base = path
}

/** The path, empty at the root of a host. */
export function basePath(): string {
  return base
}

/** An address as a browser needs it. Only paths of this server change, and those that have the base path already stay. */
export function withBase(address: string): string {
  if (base === '' || !/^\/(?![/\\])/.test(address) || isBelow(address)) return address
  return `${base}${address}`
}

/** The path of a request, or one that a browser sends as a value, as the server itself knows it. */
export function withoutBase(address: string): string {
  if (base === '' || !isBelow(address)) return address
  const rest = address.slice(base.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Puts the path before the addresses in the headers of a response, and keeps its cookies below the path. */
export function placeHeaders(headers: Headers): void {
  if (base === '') return
  const location = headers.get('Location')
  if (location !== null) headers.set('Location', withBase(location))
  const link = headers.get('Link')
  if (link !== null)
    headers.set(
      'Link',
      link.replaceAll(/<([^<>]*)>/g, (_, address: string) => `<${withBase(address)}>`),
    )
  const cookies = headers.getSetCookie()
  headers.delete('Set-Cookie')
  for (const cookie of cookies)
    headers.append('Set-Cookie', cookie.replace(/; *path=\/(?=;|$)/i, `; Path=${base}`))
}

function isBelow(address: string): boolean {
  return address.startsWith(base) && /^(?:$|[/?#])/.test(address.slice(base.length, base.length + 1))
}

function firstOf(path: string): string {
  return path.split('/', 2)[1] ?? ''
}
