/**
 * A description or comment as GitLab gets it. A line such as `/merge` is a command there, done in our name: text of a
 * model, or that it has read, must not give any. In Markdown the backslash is not seen.
 */
export function writtenText(text: string): string {
  return text.replaceAll(/^([ \t]*)\/(?=[a-z][\w:-]*(?:\s|$))/gim, String.raw`$1\/`)
}

const maxLength = 255
// The ways in which GitLab takes a title for a draft's.
const marks = /^(?:\s*(?:draft:|\[draft\]|\(draft\)))+\s*/i

/** A title as GitLab wants it: what begins it decides whether a merge request is a draft. */
export function writtenTitle(title: string, draft: boolean): string {
  const text = plainTitle(title.trim()) || title.trim()
  return Array.from(draft ? `Draft: ${text}` : text)
    .slice(0, maxLength)
    .join('')
}

/** A title without what marks a draft. */
export function plainTitle(title: string): string {
  return title.slice(0, 10 * maxLength).replace(marks, '')
}
