import type { CodeRequest } from '../../../integrations/forges/host.ts'

/** What the comment is, and how to be without it. */
export const previewFooter =
  'Preview of the documentation that this change touches, by Docwright. To leave it out, add the label `docs: none`, or a line `docs: none` with a reason to the description.'

/** What stands in place of a comment that its pull request does not want. */
export const leftOutText = '**Documentation: left out, as the pull request asks for**'

const longestReason = 200

/** Why its authors want no preview: a label, or a line of the text with a reason. */
export function optOutOf({ labels, body }: Pick<CodeRequest, 'labels' | 'body'>): string | undefined {
  const label = labels.find((one) => ['docs: none', 'docs:none', 'no-docs'].includes(one.toLowerCase()))
  if (label !== undefined) return `the label ${label}`
  for (const line of body.slice(0, 50_000).split('\n')) {
    const start = line.trimStart()
    if (!start.toLowerCase().startsWith('docs: none')) continue
    const reason = printable(start.slice('docs: none'.length))
      .replace(/^[ \-–—:,.(]{1,10}/, '')
      .replace(/\)$/, '')
      .trim()
    if (reason !== '') return reason.slice(0, longestReason)
  }
  return undefined
}

/** In one line. */
export function printable(text: string): string {
  return text.toWellFormed().replaceAll(/\p{Cc}/gu, ' ')
}
