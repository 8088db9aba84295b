import { withFencesOfCode } from '../markdown/code-elements.ts'
import { plainDirectives } from '../markdown/directives.ts'
import { withoutHeadingsInHtml, withTagsOnOneLine } from '../markdown/html-blocks.ts'
import { withoutLiquid, withoutShortcodes } from '../markdown/template-blocks.ts'
import type { Dialect } from './dialect.ts'

/** What of a dialect decides about template blocks, directives and HTML. */
export type SourceRules = Pick<Dialect, 'mdx' | 'hasMystDirectives' | 'htmlIsWhole'> &
  Partial<Pick<Dialect, 'templates'>>

/** A page's text in which template blocks and directives are what a reader sees of them. Lines may be gone. */
export function shownSource(
  text: string,
  { mdx, templates, hasMystDirectives, htmlIsWhole }: SourceRules,
): string {
  const filled =
    templates === 'whole' ? withoutLiquid(text) : templates === 'shortcodes' ? withoutShortcodes(text) : text
  const directed = hasMystDirectives === true ? plainDirectives(filled) : filled
  const plain = withFencesOfCode(directed, mdx)
  return mdx ? withTagsOnOneLine(plain) : withoutHeadingsInHtml(plain, htmlIsWhole === true)
}
