const start = '<!-- docwright'

/**
 * Adds a hidden marker to a comment of this server, by which a repeated post finds it. For hosts whose Markdown
 * hides HTML comments.
 */
export function markComment(body: string, marker: string): string {
  return `${markerOf(marker)}\n${body}`
}

/** Whether it is a comment of this server with this marker. */
export function hasMarker(body: string, marker: string): boolean {
  return body.startsWith(markerOf(marker))
}

/** Whether this server wrote the comment. Its author does not tell, because the token may belong to a person. */
export function isOurs(body: string): boolean {
  return body.startsWith(start)
}

// "--" would end the HTML comment early.
function markerOf(marker: string): string {
  return `${start} ${marker.replaceAll(/[^\w.:]+/g, '_')} -->`
}
