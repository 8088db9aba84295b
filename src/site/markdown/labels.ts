const label = /^(?: {0,3}>)* {0,12}\(([^()\s][^()\n]{0,200})\)=\s*$/
const named = /^\s*:(?:name|label):[ \t]+(\S{1,200})\s*$/

/** In reStructuredText within a page, as `eval-rst` holds it. */
const rstTarget = /^\s*\.\. _(?:`([^`\n]{1,200})`|([^:`\n]{1,200})):\s*$/

/** The name that a line gives to what follows it, as MyST does: `(label)=`, `:name: label` in a directive, or `.. _label:`. */
export function labelOf(line: string): string | undefined {
  if (line.includes('.. _')) return rstTarget.exec(line)?.slice(1).find(Boolean)
  const mark = line.trimEnd().slice(-2)
  if (mark === ')=') return label.exec(line)?.[1]
  return line.includes(':name:') || line.includes(':label:') ? named.exec(line)?.[1] : undefined
}

const signs = [')=', ':name:', ':label:', '.. _']

/** All such names of a page. */
export function labelsOf(text: string): string[] {
  if (!signs.some((sign) => text.includes(sign))) return []
  return text.split('\n').flatMap((line) => labelOf(line.slice(0, 500)) ?? [])
}
