import { asciidocFaults } from '../../asciidoc/faults.ts'
import { markupOf } from '../../text/markup.ts'
import type { Finding } from '../problem.ts'
import type { FileVersion } from '../tree-change.ts'

/** What Asciidoctor warns of in a page of the site. */
export function checkAsciidoc({ path, text, site }: FileVersion): Finding[] {
  if (markupOf(path) !== 'asciidoc' || site.asciidoc === undefined || site.pageFor(path) === undefined)
    return []
  return asciidocFaults(text).map(({ line, message }) => ({
    check: 'markup',
    line,
    message,
    hint: 'Asciidoctor warns of this, and the rest of the page may be shown as code or not at all',
  }))
}
