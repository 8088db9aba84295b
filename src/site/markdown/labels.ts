const label = /^(?: {0,3}>)* {0,12}\(([^()\s][^()\n]{0,200})\)=\s*$/
const named = /^\s*:(?:name|label):[ \t]+(\S{1,200})\s*$/

/** The name that a line gives to what follows it, as MyST does: `(label)=`, or `:name: label` in a directive. */
export function labelOf(line: string): string | undefined {
  const mark = line.trimEnd().slice(-2)
  if (mark === ')=') return label.exec(line)?.[1]
  return line.includes(':name:') || line.includes(':label:') ? named.exec(line)?.[1] : undefined
}

/** All such names of a page. */
export function labelsOf(text: string): string[] {
  if (!text.includes(')=') && !text.includes(':name:') && !text.includes(':label:')) return []
  return text.split('\n').flatMap((line) => labelOf(line.slice(0, 500)) ?? [])
}
