import { z } from '@hono/zod-openapi'
import { presetNames } from '../../features/automations/rules/preset-names.ts'

export const runStateNames = ['running', 'review', 'accepted', 'closed', 'failed', 'no_change'] as const

export const automationBody = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.enum(presetNames).nullable().describe('`null`: the instructions alone say what it is for.'),
    enabled: z.boolean(),
    path: z.string().nullable().describe('Its file in the repository. `null`: it was created here.'),
    source: z.string().describe('The rule as text: front matter, and instructions below it.'),
    triggers: z.array(z.string()).describe('When it runs, in words.'),
    problems: z
      .array(z.string())
      .describe('What is wrong with it, by line. A rule with problems does not run.'),
    notes: z.array(z.string()).describe('What it names and this project does not have or use.'),
    nextAt: z.iso.datetime().nullable().describe('When its schedule comes next.'),
    createdAt: z.iso.datetime(),
    changedAt: z.iso.datetime(),
  })
  .openapi('Automation', { description: 'A rule that gives the agent work.' })

export type AutomationBody = z.output<typeof automationBody>

export const runBody = z
  .object({
    id: z.string(),
    automation: z
      .object({ id: z.string(), name: z.string() })
      .openapi('AutomationOfRun', { description: 'The automation that a run is of.' }),
    state: z
      .enum(runStateNames)
      .describe(
        '`running`: it waits or its job works. `review`: its pull request is open. `accepted`: it was merged. `closed`: it was closed unmerged, or the run was not started. `no_change`: nothing had to be changed.',
      ),
    cause: z
      .object({
        kind: z.enum(['push', 'merged', 'pull', 'tag', 'schedule', 'gap', 'call']),
        words: z.string().describe('What happened, in words.'),
        repository: z.string().nullable().describe('A context repository. `null`: the project’s own.'),
        from: z.string().nullable(),
        to: z.string().nullable(),
        number: z.int().nullable(),
        title: z.string().nullable().describe('What its authors call it. Untrusted.'),
      })
      .openapi('RunCause', { description: 'The event that started a run.' }),
    reasons: z.array(z.string()).describe('Why it did what it did, or nothing.'),
    jobId: z.string().nullable(),
    turn: z.int().nullable().describe('The turn of the job that is this run’s.'),
    pullRequest: z.object({ number: z.int(), link: z.string(), state: z.string() }).nullable(),
    cost: z.number().nullable().describe('USD. `null` where the price of a model is not known.'),
    dueAt: z.iso.datetime().nullable().describe('When it starts, while it waits.'),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
  })
  .openapi('AutomationRun', { description: 'What one event gave a rule.' })

export type RunBody = z.output<typeof runBody>

export const startedRun = z
  .object({
    schemaId: z.string().describe('The automation.'),
    instanceId: z.string().describe('The run.'),
    jobId: z.string(),
  })
  .openapi('StartedRun', { description: 'A run that was started by a call.' })
