import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { AppError } from '../../lib/errors.ts'
import { allow, allowIn, mayDo, type Caller } from './allow.ts'
import { rights, audited, type Verb } from './rights.ts'
import type { UsedKey } from './used-key.ts'
import { scopesOfKind, operatorPerson, roles, type Role } from './roles.ts'
import type { Project } from './projects.ts'

const verbs = Object.keys(rights) as Verb[]
const project = {
  id: 'prj_1',
  organizationId: 'org_1',
  settings: { visibility: 'key' },
} as unknown as Project

function key(change: Partial<UsedKey>): Caller {
  const used: UsedKey = {
    id: 'key_1',
    kind: 'admin',
    organizationId: 'org_1',
    projectId: undefined,
    origins: [],
    scopes: [],
    addresses: [],
    lastUsedAt: undefined,
    expiresAt: undefined,
    askedOnSite: false,
    ...change,
  }
  return { kind: 'key', key: used, address: () => '192.0.2.1', origin: undefined }
}

function refused(caller: Caller, verb: Verb, found: Project | undefined = project): string {
  try {
    allow(caller, verb, { name: 'docs', project: found })
    return ''
  } catch (error) {
    return error instanceof AppError ? error.code : 'no AppError'
  }
}

it('lets the operator do everything, and a stranger nothing but what is for anybody', () => {
  for (const verb of verbs) {
    expect([verb, refused({ kind: 'operator' }, verb)]).toEqual([verb, ''])
    const isForAnybody = rights[verb].anybody === true
    expect([verb, refused({ kind: 'stranger' }, verb)]).toEqual([verb, isForAnybody ? '' : 'unauthorized'])
  }
})

it('lets strangers ask beside public pages of this server only where the project says so', () => {
  const reader: Caller = { kind: 'stranger', onOwnPage: true }
  const asked = (caller: Caller, settings: Project['settings']): string[] =>
    verbs.filter((verb) => !rights[verb].anybody && refused(caller, verb, { ...project, settings }) === '')
  expect(asked(reader, { visibility: 'public', assistantOnDocs: true }).toSorted()).toEqual([
    'askAssistant',
    'getStarters',
    'resumeAnswer',
    'sendFeedback',
  ])
  expect(asked({ kind: 'stranger' }, { visibility: 'public', assistantOnDocs: true })).toEqual([])
  expect(asked(reader, { visibility: 'public' })).toEqual([])
  expect(asked(reader, { visibility: 'key', assistantOnDocs: true })).toEqual([])
})

it('keeps from people what reaches the machine itself or cannot be undone', () => {
  const kept = verbs.filter(
    (verb) => refused({ kind: 'person', person: operatorPerson }, verb) === 'forbidden',
  )
  expect(kept.toSorted()).toEqual([
    'check',
    'checkModel',
    'checkSecrets',
    'createBackup',
    'createSignInLink',
    'getCommitIdentity',
    'getMetrics',
    'grantOrganizations',
    'nameAnyPlace',
    'readWebhookSecret',
    'removeProject',
    'resealSecrets',
  ])
  expect(mayDo({ kind: 'person', person: operatorPerson }, 'nameAnyPlace')).toBe(false)
})

it('gives keys for administration only what they name', () => {
  const opened = (scopes: string[]): string[] =>
    verbs.filter((verb) => !rights[verb].anybody && refused(key({ scopes }), verb) === '').toSorted()
  expect(opened([]).filter((verb) => /Key|Project|Settings|Audit|People|PullRequest/.test(verb))).toEqual([])
  expect(opened(['keys'])).toEqual(['createKey', 'listKeys', 'revokeKey'])
  expect(opened(['people:read'])).toEqual(['listInvitations', 'listPeople'])
  expect(opened(['audit:read'])).toEqual(['exportAudit', 'listAudit'])
  expect(opened(['projects:read'])).toEqual([
    'getLimits',
    'getProject',
    'getUsage',
    'listOrganizations',
    'listProblems',
    'listProjects',
  ])
  expect(opened(['pulls:write'])).toEqual([
    'addComment',
    'closePullRequest',
    'mergePullRequest',
    'reopenPullRequest',
  ])
  const all = opened([...scopesOfKind.admin])
  for (const verb of [
    'removeProject',
    'changeRole',
    'createInvitation',
    'createPasswordLink',
    'changeLimitSizes',
  ] as const)
    expect(all).not.toContain(verb)
  expect(mayDo(key({ scopes: ['keys'] }), 'createKey', 'org_1')).toBe(true)
  expect(mayDo(key({ scopes: ['keys'] }), 'createKey', 'org_2')).toBe(false)
})

it('allows keys what their kind and their scopes say, and nothing else', () => {
  const opened = (caller: Caller): string[] =>
    verbs.filter((verb) => !rights[verb].anybody && refused(caller, verb) === '').toSorted()
  expect(opened(key({ scopes: ['jobs:read'] }))).toEqual([
    'getAutomation',
    'getImpact',
    'getImpactMap',
    'getJob',
    'getJobDiff',
    'getJobV1',
    'getReviewProgress',
    'getRun',
    'getUpdateV1',
    'listAutomations',
    'listEvents',
    'listJobComments',
    'listJobCommits',
    'listJobs',
    'listJobsV1',
    'listRuns',
    'listTurns',
    'markViewed',
    'useJobTools',
  ])
  expect(opened(key({ scopes: ['jobs:write'] }))).toEqual([
    'addJobComment',
    'archiveJob',
    'cancelJob',
    'changeAutomation',
    'changeJobComment',
    'createAnswerJob',
    'createAutomation',
    'createGapJob',
    'createJob',
    'createJobV1',
    'createPreviewV1',
    'deleteAutomation',
    'deleteJobComment',
    'keepPage',
    'publishJob',
    'runAutomation',
    'sendJobComments',
    'sendMessage',
    'startUpdateV1',
  ])
  expect(opened(key({ scopes: ['repository:read'] }))).toEqual([
    'fetchObjects',
    'getDocsServerCard',
    'listReferences',
    'readDocs',
    'readLlmsFullTxt',
    'readLlmsTxt',
    'useDocsTools',
  ])
  expect(opened(key({ scopes: ['webhooks'] }))).toHaveLength(7)
  expect(opened(key({ kind: 'assistant', projectId: 'prj_1' }))).toEqual([
    'askAssistant',
    'askAssistantV1',
    'getDocsServerCard',
    'getStarters',
    'readDocs',
    'readLlmsFullTxt',
    'readLlmsTxt',
    'readPage',
    'resumeAnswer',
    'search',
    'sendFeedback',
    'useDocsTools',
  ])
  expect(opened(key({ scopes: ['insights:read'] }))).toEqual([
    'countCallersV1',
    'countFeedbackV1',
    'countViewsV1',
    'countVisitorsV1',
    'exportThreads',
    'getConversationV1',
    'getGap',
    'getInsights',
    'getThread',
    'listConversationsV1',
    'listFeedbackV1',
    'listGaps',
    'listPinnedAnswers',
    'listSearches',
    'listSearchesV1',
    'listThreads',
    'listWeakAnswers',
  ])
  expect(opened(key({ scopes: ['insights:write'] }))).toEqual([
    'changeGap',
    'changePinnedAnswer',
    'mergeGaps',
    'pinAnswer',
    'traceAnswer',
    'unpinAnswer',
  ])
  expect(opened(key({ scopes: ['insights:delete'] }))).toEqual(['deleteThreads'])
  for (const verb of ['mergePullRequest', 'createKey', 'changeSettings'] as const)
    expect(refused(key({}), verb)).toBe('forbidden')
  expect(refused(key({}), 'removeProject')).toBe('unauthorized')
})

it('shows a key nothing of other projects', () => {
  for (const [caller, verb] of [
    [key({ organizationId: 'org_2' }), 'getJob'],
    [key({ kind: 'assistant', projectId: 'prj_2' }), 'search'],
  ] as const) {
    expect(refused(caller, verb)).toBe('not_found')
    expect(refused(caller, verb, undefined)).toBe('not_found')
  }
  const closed = { ...project, settings: { visibility: 'signed-in' } } as Project
  expect(refused(key({}), 'readDocs', closed)).toBe('not_found')
  expect(refused({ kind: 'person', person: operatorPerson }, 'readDocs', closed)).toBe('')
  // Programs cannot sign in, so admin keys stand for people there.
  expect(refused(key({}), 'useDocsTools', closed)).toBe('')
  expect(refused(key({ kind: 'assistant', projectId: 'prj_1' }), 'useDocsTools', closed)).toBe('not_found')
})

function personWith(own: [organization: string, role: Role][]): Caller {
  const person = { id: 'per_1', name: 'Ada', isOperator: false, roles: new Map(own) }
  return { kind: 'person', person }
}

const reading = [
  'askAssistant',
  'askAssistantV1',
  'countCallersV1',
  'countFeedbackV1',
  'countViewsV1',
  'countVisitorsV1',
  'exportThreads',
  'fetchObjects',
  'getAutomation',
  'getConversationV1',
  'getDocsServerCard',
  'getGap',
  'getImpact',
  'getImpactMap',
  'getInsights',
  'getJob',
  'getJobDiff',
  'getJobV1',
  'getLimits',
  'getProject',
  'getPullRequest',
  'getPullRequestDiff',
  'getReviewProgress',
  'getRun',
  'getStarters',
  'getThread',
  'getUpdateV1',
  'getUsage',
  'listAutomations',
  'listComments',
  'listConversationsV1',
  'listEvents',
  'listFeedbackV1',
  'listGaps',
  'listJobComments',
  'listJobCommits',
  'listJobs',
  'listJobsV1',
  'listPeople',
  'listPinnedAnswers',
  'listProblems',
  'listPullRequests',
  'listReferences',
  'listRuns',
  'listSearches',
  'listSearchesV1',
  'listThreads',
  'listTurns',
  'listWeakAnswers',
  'markViewed',
  'readDocs',
  'readLlmsFullTxt',
  'readLlmsTxt',
  'readPage',
  'resumeAnswer',
  'search',
  'sendFeedback',
  'useDocsTools',
  'useJobTools',
]
const working = [
  'addComment',
  'addJobComment',
  'approve',
  'archiveJob',
  'cancelJob',
  'changeGap',
  'changeJobComment',
  'changePinnedAnswer',
  'checkProblems',
  'closePullRequest',
  'createAnswerJob',
  'createGapJob',
  'createJob',
  'createJobV1',
  'createPreviewV1',
  'deleteJobComment',
  'keepPage',
  'mergeGaps',
  'mergePullRequest',
  'pinAnswer',
  'publishJob',
  'reopenPullRequest',
  'runAutomation',
  'sendJobComments',
  'sendMessage',
  'startUpdateV1',
  'syncProject',
  'traceAnswer',
  'unpinAnswer',
]
const owning = [
  'addContextRepository',
  'addProject',
  'changeAutomation',
  'changeChatChannel',
  'connectChat',
  'disconnectChat',
  'listChats',
  'changeOrganization',
  'changeRole',
  'changeSettings',
  'checkHost',
  'checkRepository',
  'connectProject',
  'createAutomation',
  'createInvitation',
  'createKey',
  'createPasswordLink',
  'createWebhook',
  'deleteAutomation',
  'deleteThreads',
  'deleteWebhook',
  'enrichProject',
  'estimateEnrichment',
  'exportAudit',
  'forgetCredential',
  'getHost',
  'getWebhookMessage',
  'listAudit',
  'listInvitations',
  'listKeys',
  'listModels',
  'listWebhookMessages',
  'listWebhooks',
  'removeContextRepository',
  'removePerson',
  'resendWebhookMessage',
  'revokeInvitation',
  'revokeKey',
  'testModel',
  'testWebhook',
]

it('lets viewers read, editors work as well, and owners do the rest, each in their own organization', () => {
  const opened = (caller: Caller): string[] =>
    verbs
      .filter((verb) => !['signed-in', undefined].includes(rights[verb].people))
      .filter((verb) => refused(caller, verb) === '')
      .toSorted()
  const of = (role: Role): string[] => opened(personWith([['org_1', role]]))
  expect(of('viewer')).toEqual(reading)
  expect(of('editor')).toEqual([...reading, ...working].toSorted())
  expect(of('owner')).toEqual([...reading, ...working, ...owning].toSorted())
})

it('shows nobody anything of another organization, whatever the role there', () => {
  for (const verb of verbs.filter((one) => rights[one].people !== undefined))
    for (const role of roles) {
      const elsewhere = personWith([['org_2', role]])
      expect([verb, role, refused(elsewhere, verb)]).toEqual([
        verb,
        role,
        mayDo(elsewhere, verb) ? 'not_found' : 'forbidden',
      ])
      expect(() => allowIn(elsewhere, verb, 'org_1')).toThrow(AppError)
      // A role in one organization is none in another.
      const both = personWith([
        ['org_1', 'viewer'],
        ['org_2', 'owner'],
      ])
      const needed = rights[verb].people
      const expected = needed === 'viewer' || needed === 'signed-in' ? '' : 'forbidden'
      expect([verb, refused(both, verb)]).toEqual([verb, expected])
    }
  const nowhere = personWith([])
  expect(verbs.filter((verb) => !rights[verb].anybody && mayDo(nowhere, verb))).toEqual(
    verbs.filter((verb) => rights[verb].people === 'signed-in'),
  )
})

it('records every verb that changes something, and no other', async () => {
  const { paths } = JSON.parse(await readFile('openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  const changing = Object.values(paths)
    .flatMap((methods) => Object.entries(methods))
    .filter(([method]) => method !== 'get')
    .map(([, { operationId }]) => operationId)
  // They ask, or only begin what another verb does.
  const asking = [
    'askAssistant',
    'askAssistantV1',
    'chooseOrganization',
    // Answers that there is no such thing here.
    'createPreviewV1',
    // What a person has let an app do, which is recorded as `connectApp`.
    'registerClient',
    'exchangeToken',
    'revokeToken',
    'fetchObjects',
    'receiveHostEvent',
    'receiveChatEvent',
    'search',
    'readPage',
    'sendFeedback',
    'startPasskey',
    'startPasskeySignIn',
    'useDocsTools',
    'useJobTools',
    'checkHost',
    'checkProblems',
    'checkRepository',
    'checkModel',
    'testModel',
    'traceAnswer',
    // Of one person, and seen by nobody else.
    'changeFirstSteps',
    'markViewed',
  ]
  expect(changing.filter((verb) => !asking.includes(verb) && !Object.hasOwn(audited, verb))).toEqual([])
})
