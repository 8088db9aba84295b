const maxOddities = 1000
const maxDepth = 200

// Tags, anchors and aliases; nothing between two commas, or between one bracket's end and another's start; quotes in a row.
const oddity = /(?:^|[\s,[{])[!&*]|,(?=[ \t\r\n]*,)|[\]}](?=[ \t\r\n]*[[{])|"""/g

/**
 * Whether a YAML parser would take seconds or minutes for a text that is only made for that: its cost grows with the
 * square of tags, anchors, errors and depth. Files that people write stay far below the limits.
 */
export function isHostileYaml(text: string): boolean {
  if ((text.match(oddity)?.length ?? 0) > maxOddities) return true
  let depth = 0
  let unopened = 0
  for (const [bracket] of text.matchAll(/[[\]{}]|(?:[-?] ){50}/g)) {
    if (bracket.length > 1) return true
    if (bracket === '[' || bracket === '{') depth++
    else if (depth > 0) depth--
    else unopened++
    if (depth > maxDepth || unopened > maxOddities) return true
  }
  return false
}
