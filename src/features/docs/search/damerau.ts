/**
 * Edits (insertion, deletion, substitution, swap of neighbours; no substring edited twice) between two words,
 * or `limit + 1` when there are more than `limit`.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let beforeLast = new Int32Array(b.length + 1)
  let last = Int32Array.from({ length: b.length + 1 }, (_, j) => j)
  let row = new Int32Array(b.length + 1)
  for (let i = 1; i <= a.length; i++) {
    row[0] = i
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let edits = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        edits = Math.min(edits, at(beforeLast, j - 2) + 1)
      }
      row[j] = edits
      if (edits < least) least = edits
    }
    if (least > limit) return limit + 1
    ;[beforeLast, last, row] = [last, row, beforeLast]
  }
  return Math.min(at(last, b.length), limit + 1)
}

function at(row: Int32Array, index: number): number {
  return row[index] ?? 0
}
