/** A name that differs in a letter or two, or only in its signs. */
export function nearName(names: Iterable<string>, name: string): string | undefined {
  const key = lettersOf(name)
  let near: string | undefined
  for (const one of names) {
    if (lettersOf(one) === key) return one
    const most = name.length > 8 ? 2 : 1
    const mayBe = near === undefined && name.length > 3 && Math.abs(one.length - name.length) <= most
    if (mayBe && (isSwapped(one, name) || distance(one, name) <= most)) near = one
  }
  return near
}

function lettersOf(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, '')
}

function isSwapped(one: string, other: string): boolean {
  return (
    one.length === other.length &&
    one !== other &&
    one.split('').toSorted().join('') === other.split('').toSorted().join('') &&
    distance(one, other) === 2
  )
}

/** How many letters differ; names are short. */
function distance(one: string, other: string): number {
  const [left, right] = [one.slice(0, 80), other.slice(0, 80)]
  let row = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (let at = 1; at <= left.length; at++) {
    const next = [at]
    for (let to = 1; to <= right.length; to++)
      next.push(
        Math.min(
          (row[to] ?? 0) + 1,
          (next[to - 1] ?? 0) + 1,
          (row[to - 1] ?? 0) + (left[at - 1] === right[to - 1] ? 0 : 1),
        ),
      )
    row = next
  }
  return row.at(-1) ?? 0
}
