import { type ShippedParts, wordsOf } from '../../pages/shipped-parts.ts'

export const hugoShipped: ShippedParts = {
  calls: wordsOf('details figure highlight param qr ref relref'),
}
