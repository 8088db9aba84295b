import { appendFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { afterAll, expect } from 'vitest'
import { lineOfCosts, processorTime } from './processor-time.ts'

// With `TEST_CPU=<file> npm test`, on Linux: writes for each test file what it cost, in seconds of CPU: its own process, and all
// that it has started (servers, browsers, git). What all files share is written by tests/stores.setup.ts.

const root = resolve(import.meta.dirname, '..')
const before = processorTime(process.pid)

afterAll(() => {
  const after = processorTime(process.pid)
  const file = relative(root, expect.getState().testPath ?? '')
  const cost = { own: after.own - before.own, started: after.started - before.started }
  appendFileSync(process.env['TEST_CPU'] ?? '', lineOfCosts(file, cost))
})
