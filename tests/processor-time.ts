import { readFileSync, readdirSync } from 'node:fs'

/** A hundredth of a second, which `/proc` counts in everywhere that matters. */
const tick = 100

/** Seconds of CPU that a process has cost, and all that it has started. Linux only. */
export function processorTime(process: number): { own: number; started: number } {
  const self = statOf(process)
  if (self === undefined) throw new Error(`There is no /proc/${process} here`)
  // What still runs, such as the helper that starts git, is counted nowhere else.
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []))
  let started = self.waited
  const parents = new Set([process])
  for (const parent of parents)
    for (const one of all)
      if (one.parent === parent && !parents.has(one.pid)) {
        parents.add(one.pid)
        started += one.own + one.waited
      }
  return { own: self.own, started }
}

function statOf(pid: number): { pid: number; parent: number; own: number; waited: number } | undefined {
  try {
    const [, parent, ...rest] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    const [user = 0, system = 0, waitedUser = 0, waitedSystem = 0] = rest
      .slice(9, 13)
      .map((ticks) => Number(ticks) / tick)
    return { pid, parent: Number(parent), own: user + system, waited: waitedUser + waitedSystem }
  } catch {
    return undefined
  }
}

/** A line of the list of what a run costs. */
export function lineOfCosts(what: string, { own, started }: { own: number; started: number }): string {
  return `${[what, own.toFixed(2), started.toFixed(2)].join('\t')}\n`
}
