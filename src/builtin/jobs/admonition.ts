import type { AdmonitionKind } from '../requests/request.ts'

/** How a repository writes its notes. */
export type AdmonitionStyle = 'component' | 'directive' | 'spaced directive' | 'indented' | 'alert' | 'quote'

const names = 'note|tip|warning|info|caution|danger|important|check|hint'

/** What to search for to see the style; understood by POSIX and JavaScript expressions alike. */
export const admonitionPattern = `(<(Note|Tip|Warning|Info|Caution|Danger|Check)>|^ *:::+ *(${names})|^ *!!! +(${names})|^ *> *\\[!(NOTE|TIP|WARNING|IMPORTANT|CAUTION)\\])`

export function styleOf(line: string): AdmonitionStyle | undefined {
  if (/<(?:Note|Tip|Warning|Info|Caution|Danger|Check)>/.test(line)) return 'component'
  if (/^\s*:::+\s+\w/.test(line)) return 'spaced directive'
  if (/^\s*:::+\w/.test(line)) return 'directive'
  if (/^\s*!!!\s+\w/.test(line)) return 'indented'
  return /^\s*>\s*\[!\w+\]/.test(line) ? 'alert' : undefined
}

/** The kinds that each syntax knows; what it lacks becomes the nearest one that it has. */
const known: Record<AdmonitionStyle, Partial<Record<AdmonitionKind, string>>> = {
  component: {
    tip: 'Tip',
    warning: 'Warning',
    info: 'Info',
    caution: 'Warning',
    danger: 'Warning',
    important: 'Warning',
    note: 'Note',
  },
  directive: { important: 'warning' },
  // VitePress: info, tip, warning and danger.
  'spaced directive': { note: 'info', caution: 'warning', important: 'warning' },
  indented: { caution: 'warning', important: 'warning' },
  alert: {
    note: 'NOTE',
    tip: 'TIP',
    info: 'NOTE',
    warning: 'WARNING',
    caution: 'CAUTION',
    danger: 'CAUTION',
    important: 'IMPORTANT',
  },
  quote: {},
}

export function writeAdmonition(kind: AdmonitionKind, text: string, style: AdmonitionStyle): string {
  const name = known[style][kind] ?? kind
  switch (style) {
    case 'component':
      return `<${name}>\n${text}\n</${name}>`
    case 'directive':
      return `:::${name}\n\n${text}\n\n:::`
    case 'spaced directive':
      return `::: ${name}\n${text}\n:::`
    case 'indented':
      return `!!! ${name}\n\n${text.replace(/^(?=.)/gm, '    ')}`
    case 'alert':
      return `> [!${name}]\n${text.replace(/^/gm, '> ').replace(/(?<![ \t])[ \t]+$/gm, '')}`
    case 'quote': {
      const label = `**${name.charAt(0).toUpperCase()}${name.slice(1)}:** `
      return (label + text).replace(/^/gm, '> ').replace(/(?<![ \t])[ \t]+$/gm, '')
    }
  }
}
