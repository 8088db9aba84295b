import { lineFinder } from '../../text/text-file.ts'
import type { PageCustoms } from '../../pages/page-customs.ts'
import { needsTitle } from '../front-matter-needs.ts'

/** What Mintlify asks of pages. */
export function mintlifyCustoms(root: string): PageCustoms {
  return {
    hiding: '`hidden: true`',
    // It is not documented, and existing links differ.
    hasLooseIds: true,
    // Pages that are generated from a specification or a link, and instructions for agents, need no title.
    needsOf: (data, path) =>
      ['openapi', 'asyncapi', 'url'].some((key) => data[key] !== undefined) ||
      /(?:^|\/)skill\.md$/i.test(path)
        ? []
        : needsTitle(data, 'Mintlify', true),
    references({ prose }) {
      const text = prose()
      const lineOf = lineFinder(text)
      const tags = text.matchAll(/<Snippet\s+file=(["'])([^"'\n]{1,500})\1/g)
      return Array.from(tags, ({ 2: name = '', index }) => ({
        line: lineOf(index),
        text: name,
        candidates: ['snippets/', '_snippets/', ''].map(
          (folder) => `${root}${folder}${name.replace(/^\//, '')}`,
        ),
      }))
    },
  }
}
