import { type ShippedParts, wordsOf } from '../../pages/shipped-parts.ts'
import { sphinxShipped } from '../sphinx/shipped.ts'

export const mystShipped: ShippedParts = {
  directives: [
    ...(sphinxShipped.directives ?? []),
    ...wordsOf('blockquote bibliography aside tab-set prf:theorem prf:proof prf:lemma prf:definition'),
  ],
  roles: [...(sphinxShipped.roles ?? []), ...wordsOf('del u sc smallcaps underline delete chem si span')],
}
