import { appendFileSync, readFileSync, readdirSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { afterAll, expect } from 'vitest'

// With `TEST_CPU=<file> npm test`, on Linux: writes for each test file what it cost, in seconds of CPU: its own process, and all
// that it has started (servers, browsers, git).

/** A hundredth of a second, which `/proc` counts in everywhere that matters. */
const tick = 100
const root = resolve(import.meta.dirname, '..')
const before = cost()

afterAll(() => {
  const after = cost()
  const file = relative(root, expect.getState().testPath ?? '')
  const seconds = [after.own - before.own, after.started - before.started].map((one) => one.toFixed(2))
  appendFileSync(process.env['TEST_CPU'] ?? '', `${[file, ...seconds].join('\t')}\n`)
})

function cost(): { own: number; started: number } {
  const self = statOf(process.pid)
  if (self === undefined) throw new Error('There is no /proc here')
  // What still runs, such as the helper that starts git, is counted nowhere else.
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []))
  let started = self.waited
  const parents = new Set([process.pid])
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
