/**
 * A description or comment as it is sent to GitLab. There a line such as `/merge` is a command that runs with the
 * server's permissions, and text of a model must not give any. Markdown does not show the backslash.
 */
export function writtenText(text: string): string {
  return text.replaceAll(/^([ \t]*)\/(?=[a-z][\w:-]*(?:\s|$))/gim, String.raw`$1\/`)
}

/** A repository's template without its commands, which people would give and this server does not. */
export function withoutCommands(template: string): string {
  return template.replaceAll(/^[ \t]*\/[a-z][\w:-]*(?:[ \t][^\n]*)?(?:\n|$)/gim, '')
}

const maxLength = 255
// The prefixes by which GitLab recognises a draft.
const marks = /^(?:\s*(?:draft:|\[draft\]|\(draft\)))+\s*/i

/** A title as it is sent to GitLab, where a prefix makes a merge request a draft. */
export function writtenTitle(title: string, draft: boolean): string {
  const text = plainTitle(title.trim()) || title.trim()
  return Array.from(draft ? `Draft: ${text}` : text)
    .slice(0, maxLength)
    .join('')
}

/** A title without the prefixes of drafts. */
export function plainTitle(title: string): string {
  return title.slice(0, 10 * maxLength).replace(marks, '')
}
