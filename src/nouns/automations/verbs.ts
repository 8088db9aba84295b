import { z } from '@hono/zod-openapi'
import { aboutChangeForm, readAboutChange } from '../../features/agent/about-change.ts'
import { idempotencyHeader } from '../../lib/idempotency-header.ts'
import { idCursor, limitUpTo } from '../../lib/list-query.ts'
import { defineVerb } from '../../verbs/verb.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import { automationBody, runBody, runStateNames, startedRun } from './answers.ts'

const path = '/v2/automations/{projectId}'
const one = `${path}/{automation}` as const
const tag = 'Automations'
const longestSource = 40_000
const sourceRule = `must be a string of 1 to ${longestSource.toLocaleString('en')} characters`
const source = z
  .string({ error: sourceRule })
  .min(1, sourceRule)
  .max(longestSource, sourceRule)
  .refine((text) => !hasUnstorable(text), sourceRule)
  .describe(
    'The rule: front matter such as `name` and `on`, and instructions below it, as in a file of the repository.',
  )
const enabled = z.boolean({ error: 'must be true or false' }).describe('Whether events start it.')

const sourceWords = {
  label: 'Rule',
  hint: 'front matter, and instructions below it',
  rows: 18,
  code: true,
  draft: true,
  option: '--source <text>',
  help: 'the rule as text: front matter, and instructions below it',
} as const

export const listAutomations = defineVerb({
  name: 'listAutomations',
  address: `get ${path}`,
  tag,
  summary: 'List automations',
  description: 'All rules of a project that give the agent work, from its repository and made here, by name.',
  input: z.object({}),
  output: z.object({ automations: z.array(automationBody) }),
  answer: [200, 'The automations'],
  fields: {},
})

export const getAutomation = defineVerb({
  name: 'getAutomation',
  address: `get ${one}`,
  tag,
  summary: 'Get an automation',
  description:
    'Its `source` is the text that a file below `.docwright/automations/` has, so that it can be moved there.',
  input: z.object({}),
  output: automationBody,
  answer: [200, 'The automation'],
  fields: {},
})

export const createAutomation = defineVerb({
  name: 'createAutomation',
  address: `post ${path}`,
  tag,
  summary: 'Create an automation',
  description:
    'A rule starts with what happens after it was created. One with `problems` is kept and does not run, as a file of the repository is, below `.docwright/automations/`. At most 50 per project.',
  input: z.object({ source }),
  output: automationBody,
  answer: [201, 'The automation'],
  fields: { source: sourceWords },
})

export const changeAutomation = defineVerb({
  name: 'changeAutomation',
  address: `patch ${one}`,
  tag,
  summary: 'Change an automation',
  description:
    'The text of a rule that is a file is changed in the repository. It can be switched off and on here.',
  input: z
    .object({ source: source.optional(), enabled: enabled.optional() })
    .refine((change) => change.source !== undefined || change.enabled !== undefined, {
      message: 'name `source` or `enabled`',
    }),
  output: automationBody,
  answer: [200, 'The automation'],
  errors: [409],
  fields: {
    source: sourceWords,
    enabled: {
      label: 'Enabled',
      option: '--enabled <true-or-false>',
      help: 'whether events start the automation',
    },
  },
})

export const deleteAutomation = defineVerb({
  name: 'deleteAutomation',
  address: `delete ${one}`,
  tag,
  summary: 'Delete an automation',
  description: 'Its runs and their jobs stay. A rule that is a file is deleted in the repository.',
  input: z.object({}),
  output: automationBody,
  answer: [200, 'What was deleted'],
  errors: [409],
  fields: {},
})

const changeRule = `must be ${aboutChangeForm}`

export const runAutomation = defineVerb({
  name: 'runAutomation',
  address: 'post /v1/workflow/{projectId}/{automation}/trigger',
  tag,
  summary: 'Run an automation',
  description:
    'Starts a job by the rule at once, or a follow-up on its job whose pull request is open. Calls with the same `Idempotency-Key` start one run. A rule that is switched off can be called.',
  // Programs call it without a body.
  asQuery: true,
  headers: idempotencyHeader,
  input: z.object({
    change: z
      .string({ error: changeRule })
      .min(1, changeRule)
      .max(600, changeRule)
      .refine((text) => readAboutChange(text) !== undefined, changeRule)
      .optional()
      .describe(`The change of code that it is about: ${aboutChangeForm}.`),
  }),
  output: startedRun,
  answer: [202, 'The run, and its job'],
  errors: [404, 409, 429, 503],
  fields: {
    change: {
      label: 'Code change',
      hint: 'a commit, #number, or from..to; empty for none',
      option: '--change <change>',
      help: 'the code change: a commit, #number, or from..to, behind @name for a context repository',
    },
  },
})

const idRule = 'must be the ID of an automation'
const state = z.enum(runStateNames, { error: `must be one of ${runStateNames.join(', ')}` })

export const listRuns = defineVerb({
  name: 'listRuns',
  address: 'get /v2/automation-runs/{projectId}',
  tag,
  summary: 'List runs of automations',
  description: 'Newest first, with cause, state, and cost.',
  input: z.object({
    automation: z
      .string()
      .max(100, idRule)
      .refine((id) => !hasUnstorable(id), idRule)
      .optional()
      .describe('Only those of one automation.'),
    state: state.optional().describe('Only those in one state.'),
    cursor: idCursor('run').optional().describe('`nextCursor` of the page before.'),
    limit: limitUpTo(100, 20).describe('At most this many.'),
  }),
  output: z.object({ runs: z.array(runBody), nextCursor: z.string().nullable() }),
  answer: [200, 'The runs'],
  fields: {
    automation: { label: 'Automation', option: '--automation <id>', help: 'automation ID' },
    state: { label: 'State', option: '--state <state>', help: 'only those in one state' },
    cursor: {
      label: 'Cursor',
      option: '--cursor <cursor>',
      help: 'cursor from the previous page',
    },
    limit: { label: 'At most', option: '--limit <number>', help: 'maximum number of results, up to 100' },
  },
})

export const getRun = defineVerb({
  name: 'getRun',
  address: 'get /v2/automation-runs/{projectId}/{run}',
  tag,
  summary: 'Get a run',
  description: 'One run of an automation.',
  input: z.object({}),
  output: runBody,
  answer: [200, 'The run'],
  fields: {},
})
