import type { Page } from '../../src/site/pages/page.ts'

/** A page for tests: the text after each `## ` line is a section. */
export function pageOf(path: string, title: string, text: string, rest: Partial<Page> = {}): Page {
  const [lead = '', ...parts] = text.split(/^## /m)
  return {
    path,
    url: `/${path.replace(/\.mdx?$/, '')}`,
    title,
    description: undefined,
    language: undefined,
    version: undefined,
    groups: [],
    sections: [
      { headings: [], anchor: undefined, text: lead.trim() },
      ...parts.map((part) => {
        const [heading = '', ...lines] = part.split('\n')
        return {
          headings: [heading],
          anchor: heading.toLowerCase().replaceAll(' ', '-'),
          text: lines.join('\n').trim(),
        }
      }),
    ],
    ...rest,
  }
}
