/** Expressions that functions compose from what they are given: an example of each, and why its parts cannot harm. */
export const runTime: {
  file: string
  argument: string
  example: { source: string; flags: string }
  why: string
}[] = [
  {
    file: 'api/app.ts',
    argument: '`^${source}$`',
    example: { source: '^/v2/agent/[^/]+/job/[^/]+$', flags: '' },
    why: 'Paths of our own endpoints.',
  },
  {
    file: 'site/checks/check-terms.ts',
    argument: 'pattern',
    example: { source: '(?<![\\p{L}\\p{N}_])(?:Git\\.Hub|hub)(?![\\p{L}\\p{N}_])', flags: 'gu' },
    why: 'Words of a glossary, escaped.',
  },
  {
    file: 'builtin/pages/find-text.ts',
    argument: "escaped.map((word) => word.replaceAll('\\\\-', '[-]')).join(gap)",
    example: { source: 'old(?:[ \\t\\u00a0]+|[ \\t]*\\n[ \\t>]*)name', flags: 'giu' },
    why: 'Words of a request, escaped.',
  },
]
