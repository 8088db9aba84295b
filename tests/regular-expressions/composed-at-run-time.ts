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
    file: 'features/agent/policy/asleep.ts',
    argument: 'mdx ? signsOfMdx : signs',
    example: { source: '<!--', flags: 'gi' },
    why: 'A copy of one of two constants.',
  },
  {
    file: 'features/agent/policy/find-front-matter.ts',
    argument:
      "`\\\\n(?:${marker === '+++' ? '\\\\+\\\\+\\\\+' : `${marker}|\\\\.\\\\.\\\\.`})[ \\\\t]*(?=\\\\n|$)`",
    example: { source: '\\n(?:---|\\.\\.\\.)[ \\t]*(?=\\n|$)', flags: 'g' },
    why: 'One of four markers.',
  },
  {
    file: 'features/agent/policy/live-text.ts',
    argument: '`<(/?)${name}\\\\b[^>]{0,2000}>`',
    example: { source: '<(/?)div\\b[^>]{0,2000}>', flags: 'gi' },
    why: 'The name of an element of HTML, out of a list.',
  },
  {
    file: 'features/agent/policy/other-markup.ts',
    argument: '`\\\\n(?![ \\\\t]*\\\\n|[ \\\\t]{${Math.min(column, 500) + 1},}\\\\S|$)`',
    example: { source: '\\n(?![ \\t]*\\n|[ \\t]{8,}\\S|$)', flags: '' },
    why: 'A number up to 501.',
  },
  {
    file: 'features/agent/policy/tag-parts.ts',
    argument: '`</${name}`',
    example: { source: '</script', flags: 'i' },
    why: 'The name of a tag: letters, digits and signs that mean nothing here.',
  },
  {
    file: 'builtin/pages/find-text.ts',
    argument: "escaped.map((word) => word.replaceAll('\\\\-', '[-]')).join(gap)",
    example: { source: 'old(?:[ \\t\\u00a0]+|[ \\t]*\\n[ \\t>]*)name', flags: 'giu' },
    why: 'Words of a request, escaped.',
  },
]
