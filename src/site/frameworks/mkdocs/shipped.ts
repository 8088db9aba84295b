import { type ShippedParts, wordsOf } from '../../pages/shipped-parts.ts'

/** Of the admonitions and blocks of PyMdown, as Material has them. */
export const mkdocsShipped: ShippedParts = {
  directives:
    wordsOf(`note abstract info tip success question warning failure danger bug example quote details tab admonition caption
    figure-caption table-caption define definition hint important caution attention seealso error summary tldr todo check done help faq fail missing
    snippet cite inline end`),
}
