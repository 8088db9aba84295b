/**
 * Whether a webhook at a host is the one that `url` names, at whatever address this server had when it was made. The
 * path names the project, and no other server has a project of that name.
 */
export function isOwnWebhook(url: string, found: string | null | undefined): boolean {
  return found !== null && found !== undefined && pathOf(found) === pathOf(url)
}

// A server may be reached below a path, and that may change too.
function pathOf(url: string): string {
  const { pathname } = URL.canParse(url) ? new URL(url) : { pathname: url }
  const start = pathname.lastIndexOf('/hosts/')
  return start < 0 ? pathname : pathname.slice(start)
}
