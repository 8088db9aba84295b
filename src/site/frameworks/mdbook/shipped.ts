import type { ShippedParts } from '../../pages/shipped-parts.ts'

/** Files that they name are judged as those of all includes. */
export const mdbookShipped: ShippedParts = {
  calls: ['#include', '#rustdoc_include', '#playground', '#title'],
}
