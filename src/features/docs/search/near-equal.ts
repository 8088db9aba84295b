import { compareVersions } from '../../../site/pages/compare-versions.ts'
import { segmentOf, type SearchIndex } from './search-index.ts'
import type { Segment } from './segment.ts'
import { labelAt, titleAt } from './segment-strings.ts'
import { emptySlot, signatureLength } from './signature.ts'

interface Place {
  part: number
  page: number
}

/** Shares of equal slots from which pages are near-equal: under the same title, and under different ones. */
const alike = 0.8
const alikeUnderOtherTitle = 0.95

/** With fewer words than about this many classes, pages are too short to be compared. */
const fewestSlots = 24

/**
 * Puts pages that say nearly the same (versions, copies) together, in the order of the best of each group.
 * In a group, the page to show comes first: the one that `preferred` says, else the one of the newest version.
 */
export function groupNearEqual<Page extends Place>(
  index: SearchIndex,
  pages: readonly Page[],
  preferred: (page: Place) => boolean,
): Page[][] {
  const groups: Page[][] = []
  for (const page of pages) {
    const group = groups.find(([first]) => first !== undefined && isNearEqual(index, first, page))
    if (group === undefined) groups.push([page])
    else group.push(page)
  }
  return groups.map((group) =>
    group.length === 1
      ? group
      : group.toSorted(
          (a, b) =>
            Number(preferred(b)) - Number(preferred(a)) ||
            compareVersions(versionOf(index, b), versionOf(index, a)),
        ),
  )
}

function isNearEqual(index: SearchIndex, a: Place, b: Place): boolean {
  const [segmentA, segmentB] = [segmentOf(index, a.part), segmentOf(index, b.part)]
  const share = sharedSlots(segmentA, a.page, segmentB, b.page)
  if (share < alike) return false
  return share >= alikeUnderOtherTitle || titleAt(segmentA, a.page) === titleAt(segmentB, b.page)
}

/** Slots that may differ. Most pages differ in more of the first few already. */
const mostDifferent = signatureLength * (1 - alike)

/** The share of equal slots; 0 when it is too small to matter. */
function sharedSlots(a: Segment, pageA: number, b: Segment, pageB: number): number {
  let filled = 0
  let different = 0
  for (let slot = 0; slot < signatureLength && different <= mostDifferent; slot++) {
    const left = a.pageSignatures[pageA * signatureLength + slot]
    const right = b.pageSignatures[pageB * signatureLength + slot]
    if (left !== right) different += 1
    if (left !== emptySlot || right !== emptySlot) filled += 1
  }
  return filled < fewestSlots || different > mostDifferent ? 0 : 1 - different / filled
}

function versionOf(index: SearchIndex, { part, page }: Place): string {
  const segment = segmentOf(index, part)
  return labelAt(segment, segment.pageLabels[page * 2 + 1] ?? 0)
}
