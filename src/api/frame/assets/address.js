/**
 * The address of a path of this server, which may be shown below a path of a proxy. The server puts that path before what
 * HTML calls an address, such as `href`; a path from elsewhere, as from `data-` or JSON, comes through here.
 */
export function addressOf(path) {
  return new URL(`..${path}`, import.meta.url).href
}
