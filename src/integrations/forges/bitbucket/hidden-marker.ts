// Bitbucket shows HTML comments as they are written; a link that nothing refers to it does not show.
const start = '[//]: # (docwright '
const end = ')'

/** A comment of ours, told from others by what readers do not see. */
export function markComment(body: string, marker: string): string {
  return `${markerOf(marker)}\n\n${body}`
}

export function hasMarker(body: string, marker: string): boolean {
  return body.startsWith(markerOf(marker))
}

export function isOurs(body: string): boolean {
  return body.startsWith(start)
}

function markerOf(marker: string): string {
  return `${start}${marker.replaceAll(/[^\w.:]+/g, '_')}${end}`
}
