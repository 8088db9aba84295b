import { withoutSecrets } from './policy/find-secrets.ts'
import { defuseLine, withoutHidden } from './text/defuse.ts'

const longest = 100
const longestOfRequest = 70

/** The first line that says something, as a title: one line, at most 100 characters. */
export function titleOf(text: string): string {
  const line = firstLine(text)
  if (line === undefined) return 'Update the documentation'
  // Half a surrogate pair at the cut would not be text.
  return line.length <= longest ? line : `${line.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** The title of a pull request and the first line of its commit: at most 70 characters that do nothing on a host. */
export function requestTitle(text: string): string {
  const line = (firstLine(text) ?? '').replace(/^#{1,6} /, '').replace(/(?<!\.)\.$/, '')
  const title = defuseLine(withoutSecrets(line), longestOfRequest)
  return title === '' ? 'Update the documentation' : title
}

function firstLine(text: string): string | undefined {
  return withoutHidden(text.slice(0, 10_000))
    .split(/[\r\n]+/)
    .map((part) => part.replaceAll(/\s+/g, ' ').trim())
    .find((part) => part !== '')
}
