/**
 * A description or comment as GitLab gets it. A line such as `/merge` is a command there, done in our name: text of a
 * model, or that it has read, must not give any. In Markdown the backslash is not seen.
 */
export function writtenText(text: string): string {
  return text.replaceAll(/^([ \t]*)\/(?=[a-z][\w:-]*(?:\s|$))/gim, String.raw`$1\/`)
}
