import { markupOf } from '../../text/markup.ts'
import { faultsOf } from '../../restructured/faults.ts'
import type { Finding } from '../problem.ts'
import type { FileVersion } from '../tree-change.ts'

/** What a build of Sphinx complains of in a page: titles, blocks that do not end, names that nothing defines. */
export function checkRestructured({ path, text, site }: FileVersion): Finding[] {
  if (
    markupOf(path) !== 'restructured' ||
    site.restructured === undefined ||
    site.pageFor(path) === undefined
  )
    return []
  return faultsOf(text, site.restructured).map(({ line, kind, message, isSilent }) => ({
    check: kind === 'title' ? 'heading' : 'markup',
    ...(isSilent && { severity: 'warning' as const }),
    line,
    message,
    hint:
      kind === 'title'
        ? 'Make the line of signs as long as the title'
        : isSilent
          ? 'Write two colons, as the build leaves it out without a word'
          : 'Sphinx warns of this, and shows the text as it is written or not at all',
  }))
}
