const start = '<!-- docwright'

/**
 * A comment of ours, told from others by what readers do not see: by it a repeated post finds its comment.
 * For hosts whose Markdown hides HTML comments.
 */
export function markComment(body: string, marker: string): string {
  return `${markerOf(marker)}\n${body}`
}

/** Whether it is our comment with this marker. */
export function hasMarker(body: string, marker: string): boolean {
  return body.startsWith(markerOf(marker))
}

/** Whether it is a comment of ours: who posts it may be a person whose token we use, so the author does not tell. */
export function isOurs(body: string): boolean {
  return body.startsWith(start)
}

// "--" would end the HTML comment early.
function markerOf(marker: string): string {
  return `${start} ${marker.replaceAll(/[^\w.:]+/g, '_')} -->`
}
