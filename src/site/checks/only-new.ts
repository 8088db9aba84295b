import type { Finding } from './problem.ts'

/** The findings of a file that an earlier version of it does not have, on whatever line they stand. */
export function onlyNew(found: readonly Finding[], before: readonly Finding[]): Finding[] {
  const known = new Map<string, number>()
  const counted = new Map<string, number>()
  for (const finding of before) add(known, identity(finding), 1)
  const fresh = found.filter((finding) => !take(known, identity(finding)))
  for (const finding of before) {
    if (finding.counted !== true || !take(known, identity(finding))) continue
    add(counted, finding.check, 1)
  }
  return fresh.filter((finding) => finding.counted !== true || !take(counted, finding.check))
}

function identity({ check, same, href, message }: Finding): string {
  return `${check} ${same ?? href ?? message}`
}

function add(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by)
}

function take(counts: Map<string, number>, key: string): boolean {
  const count = counts.get(key) ?? 0
  if (count > 0) counts.set(key, count - 1)
  return count > 0
}
