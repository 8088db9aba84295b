import { diffArrays } from 'diff'
import { similarity } from './compare-words.ts'

/** What can be compared as a whole: equal keys mean that nothing has changed. */
export interface Comparable {
  key: string
  /** What kind of thing it is: only things of one kind are versions of each other. */
  kind: string
  words: readonly string[]
}

/** A thing before and after; one of them is undefined where it was added or removed. */
export interface Pair<Item> {
  before: Item | undefined
  after: Item | undefined
}

const mostEdits = 3000
/** Milliseconds. */
const patience = 500
/** The most comparisons of things that were replaced by others. */
const mostComparisons = 2500
const alike = 0.4

/** Puts the versions of things side by side, in the order of both lists. */
export function align<Item extends Comparable>(
  before: readonly Item[],
  after: readonly Item[],
): Pair<Item>[] {
  const parts = diffArrays(
    before.map(({ key }) => key),
    after.map(({ key }) => key),
    { maxEditLength: mostEdits, timeout: patience },
  ) ?? [
    { value: before, removed: true },
    { value: after, added: true },
  ]
  const pairs: Pair<Item>[] = []
  let [left, right] = [0, 0]
  let gone: Item[] = []
  let come: Item[] = []
  const flush = (): void => {
    pairs.push(...matchUp(gone, come))
    ;[gone, come] = [[], []]
  }
  for (const { value, added, removed } of parts) {
    if (removed) gone.push(...before.slice(left, (left += value.length)))
    else if (added) come.push(...after.slice(right, (right += value.length)))
    else {
      flush()
      for (let count = 0; count < value.length; count++)
        pairs.push({ before: before[left++], after: after[right++] })
    }
  }
  flush()
  return pairs
}

/** Finds the versions of each other among things that were replaced, without changing their order. */
function matchUp<Item extends Comparable>(gone: readonly Item[], come: readonly Item[]): Pair<Item>[] {
  const [first, second] = [gone[0], come[0]]
  if (gone.length === 1 && come.length === 1 && first?.kind === second?.kind)
    return [{ before: first, after: second }]
  if (gone.length === 0 || come.length === 0 || gone.length * come.length > mostComparisons)
    return [...gone.map(removed), ...come.map(added)]
  const best = bestSums(gone, come)
  const pairs: Pair<Item>[] = []
  let [left, right] = [0, 0]
  while (left < gone.length || right < come.length) {
    const [old, now] = [gone[left], come[right]]
    const sum = best.sum(left, right)
    if (old && (right === come.length || sum === best.sum(left + 1, right))) {
      pairs.push(removed(old))
      left++
    } else if (now && (left === gone.length || sum === best.sum(left, right + 1))) {
      pairs.push(added(now))
      right++
    } else {
      pairs.push({ before: old, after: now })
      left++
      right++
    }
  }
  return pairs
}

/** The greatest sum of similarities of what stands from two places on. */
function bestSums(
  gone: readonly Comparable[],
  come: readonly Comparable[],
): { sum(left: number, right: number): number } {
  const width = come.length + 1
  const sums = new Float64Array((gone.length + 1) * width)
  const sum = (left: number, right: number): number => sums[left * width + right] ?? 0
  for (let left = gone.length - 1; left >= 0; left--) {
    for (let right = come.length - 1; right >= 0; right--) {
      const [old, now] = [gone[left], come[right]]
      const same = old && now && old.kind === now.kind ? similarity(old.words, now.words) : 0
      const paired = same >= alike ? same + sum(left + 1, right + 1) : 0
      sums[left * width + right] = Math.max(paired, sum(left + 1, right), sum(left, right + 1))
    }
  }
  return { sum }
}

function removed<Item>(before: Item): Pair<Item> {
  return { before, after: undefined }
}

function added<Item>(after: Item): Pair<Item> {
  return { before: undefined, after }
}
