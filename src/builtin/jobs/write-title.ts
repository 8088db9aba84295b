import { widthOf } from '../../site/restructured/blocks.ts'
import { titleStyles } from '../../site/restructured/title-styles.ts'
import { markupOf } from '../../site/text/markup.ts'

/** Signs for levels that a page does not have yet, in the order in which they are usual. */
const signs = ['=', '-', '~', '^', '"', "'", '+']

/** A heading as the page's markup writes it: in reStructuredText with the sign that the page has for the level. */
export function writeTitle(title: string, level: number, text: string, path: string): string {
  const markup = path.endsWith('.txt') ? undefined : markupOf(path)
  if (markup === 'asciidoc') return `${'='.repeat(level)} ${title}`
  if (markup === undefined) return `${'#'.repeat(level)} ${title}`
  const styles = titleStyles(text)
  // No level may be skipped.
  const at = Math.min(level - 1, styles.length)
  const style = styles[at] ?? signs.find((sign) => !styles.some((one) => one.startsWith(sign))) ?? '='
  const line = (style[0] ?? '=').repeat(Math.max(4, widthOf(title)))
  return style.length > 1 ? `${line}\n${title}\n${line}` : `${title}\n${line}`
}
