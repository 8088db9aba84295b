import { expect, it } from 'vitest'
import { limitWarnings } from './limit-warnings.ts'

it('names the limits of a project that the server’s own lie below', () => {
  const server = { jobMaxSteps: 100, jobMaxTokens: undefined, jobMaxCost: 2, jobMaxMinutes: 60 }
  const warnings = (budget?: object) => limitWarnings(server, { settings: budget ? { budget } : {} })
  expect(warnings()).toEqual([])
  expect(warnings({ steps: 100, tokens: 1_000_000, cost: 1.5 })).toEqual([])
  expect(warnings({ steps: 1000, cost: 2.5, minutes: 90 })).toEqual([
    'The limit of 1000 model calls has no effect: the server’s own is 100 (DOCWRIGHT_JOB_MAX_STEPS)',
    'The limit of 2.5 USD has no effect: the server’s own is 2 (DOCWRIGHT_JOB_MAX_COST)',
    'The limit of 90 minutes has no effect: the server’s own is 60 (DOCWRIGHT_JOB_MAX_MINUTES)',
  ])
})
