import { createAddressList } from '../../lib/address-list.ts'
import { AppError } from '../../lib/errors.ts'
import type { AskedByColumn } from '../../store/columns.ts'
import type { UsedKey } from './keys.ts'
import { isAtLeast, type Person } from './person.ts'
import type { Project } from './projects.ts'
import {
  operator,
  anybody,
  signedIn,
  editors,
  owners,
  readJobs,
  writeJobs,
  webhooks,
  clone,
  assistant,
  readProjects,
  syncProjects,
  writeProjects,
  readPulls,
  writePulls,
  manageKeys,
  olderRights,
  readAudit,
  askAsReader,
  readInsights,
  writeInsights,
  search,
  docs,
  type Right,
} from './rights.ts'
import { hasScope } from './scopes.ts'
import { visibilityOf } from './visibility.ts'

/** Who asks for something. */
export type Caller =
  /** Somebody without a session or a valid key. `onOwnPage`: on a page of this server, as far as browsers say. */
  | { kind: 'stranger'; onOwnPage?: boolean }
  /** The commands on the server, which have the token from the data folder. */
  | { kind: 'operator' }
  /** Somebody with a session. */
  | { kind: 'person'; person: Person }
  /** `origin` is that of the web page that uses the key, if there is one. */
  | { kind: 'key'; key: UsedKey; address(): string; origin: string | undefined }

const rightsByVerb = {
  createJob: writeJobs,
  sendMessage: writeJobs,
  cancelJob: writeJobs,
  archiveJob: writeJobs,
  publishJob: writeJobs,
  /** Only people: a program that gives the agent its work does not allow what it did. */
  approve: editors,
  getJob: readJobs,
  listJobs: readJobs,
  listTurns: readJobs,
  listEvents: readJobs,
  getJobDiff: readJobs,
  listJobCommits: readJobs,
  listJobComments: readJobs,
  addJobComment: writeJobs,
  changeJobComment: writeJobs,
  deleteJobComment: writeJobs,
  sendJobComments: writeJobs,
  /** Whoever reads a change keeps track for themselves of what they have looked at. */
  getReviewProgress: readJobs,
  markViewed: readJobs,
  listWebhooks: webhooks,
  createWebhook: webhooks,
  deleteWebhook: webhooks,
  testWebhook: webhooks,
  listWebhookMessages: webhooks,
  getWebhookMessage: webhooks,
  resendWebhookMessage: webhooks,
  askAssistant: askAsReader,
  askAssistantV1: assistant,
  resumeAnswer: askAsReader,
  search,
  readPage: search,
  /** Questions and searches that are not recorded, with a model of their own. */
  check: operator,
  sendFeedback: askAsReader,
  getStarters: askAsReader,
  /** Asks as a reader would, to see how the answer comes about. It costs what an answer costs. */
  traceAnswer: writeInsights,
  listSearches: readInsights,
  listThreads: readInsights,
  getThread: readInsights,
  exportThreads: readInsights,
  getInsights: readInsights,
  listGaps: readInsights,
  getGap: readInsights,
  changeGap: writeInsights,
  mergeGaps: writeInsights,
  createGapJob: writeJobs,
  createAnswerJob: writeJobs,
  deleteThreads: { people: 'owner', admin: 'insights:delete' },
  listProjects: { people: 'signed-in', admin: 'projects:read' },
  addProject: writeProjects,
  /** Tries an address and a credential before a project is made of them. */
  checkRepository: writeProjects,
  getProject: readProjects,
  syncProject: syncProjects,
  estimateEnrichment: writeProjects,
  enrichProject: writeProjects,
  changeSettings: writeProjects,
  listProblems: readProjects,
  checkProblems: syncProjects,
  getUsage: readProjects,
  getLimits: readProjects,
  listModels: writeProjects,
  testModel: writeProjects,
  removeProject: operator,
  /** How many requests are allowed, on the server and in each organization. */
  listLimitSizes: { people: 'operator' },
  changeLimitSizes: { people: 'operator' },
  addContextRepository: writeProjects,
  removeContextRepository: writeProjects,
  getHost: writeProjects,
  connectProject: writeProjects,
  checkHost: writeProjects,
  forgetCredential: writeProjects,
  /** The secret with which a host signs its webhooks. */
  readWebhookSecret: operator,
  /** Allows folders on this machine as repositories, and sites in its own network that are not known yet. */
  nameAnyPlace: operator,
  listPullRequests: readPulls,
  getPullRequest: readPulls,
  getPullRequestDiff: readPulls,
  mergePullRequest: writePulls,
  closePullRequest: writePulls,
  reopenPullRequest: writePulls,
  listComments: readPulls,
  addComment: writePulls,
  listKeys: manageKeys,
  createKey: manageKeys,
  revokeKey: manageKeys,
  getServer: { people: 'operator' },
  find: signedIn,
  getFirstSteps: signedIn,
  changeFirstSteps: signedIn,
  /** People see their own; those who may make organizations are named by the operator. */
  listOrganizations: { people: 'signed-in', admin: 'projects:read' },
  addOrganization: signedIn,
  changeOrganization: owners,
  /** In which organization somebody works, and what is shown first. */
  chooseOrganization: signedIn,
  listPeople: { people: 'viewer', admin: 'people:read' },
  changeRole: owners,
  removePerson: owners,
  leaveOrganization: signedIn,
  listInvitations: { people: 'owner', admin: 'people:read' },
  createInvitation: owners,
  revokeInvitation: owners,
  acceptInvitation: anybody,
  joinOrganization: signedIn,
  createPasswordLink: owners,
  resetPassword: anybody,
  /** Who may make organizations. */
  grantOrganizations: operator,
  listAudit: readAudit,
  exportAudit: readAudit,
  getAccount: signedIn,
  changeAccount: signedIn,
  changePassword: signedIn,
  deleteAccount: signedIn,
  listSessions: signedIn,
  endSession: signedIn,
  endOtherSessions: signedIn,
  startPasskey: signedIn,
  addPasskey: signedIn,
  removePasskey: signedIn,
  linkLogin: signedIn,
  unlinkLogin: signedIn,
  createSignInLink: operator,
  signIn: anybody,
  becomeOwner: anybody,
  signInWithPassword: anybody,
  startPasskeySignIn: anybody,
  signInWithPasskey: anybody,
  startSignIn: anybody,
  getSession: signedIn,
  signOut: signedIn,
  checkSecrets: operator,
  getCommitIdentity: operator,
  resealSecrets: operator,
  createBackup: operator,
  getHealth: anybody,
  getReadiness: anybody,
  getMetrics: operator,
  getDescription: anybody,
  listReferences: clone,
  fetchObjects: clone,
  receiveHostEvent: anybody,
  /** The pages below `/docs/`, by the project's visibility. */
  readDocs: docs,
  readLlmsTxt: docs,
  readLlmsFullTxt: docs,
  /** The tools that read the documentation, and the card that describes them, by the project's visibility. */
  useDocsTools: docs,
  getDocsServerCard: docs,
  /** The tools for jobs. Each of them is also the verb that it does. */
  useJobTools: readJobs,
  getJobServerCard: anybody,
  getServerCatalog: anybody,
  listToolServers: anybody,
  listServerCards: anybody,
  getFirstServerCard: anybody,
  listPublicDocs: anybody,
  ...olderRights,
} as const satisfies Record<string, Right>

/** Every action, named by the `operationId` of its endpoint. */
export type Verb = keyof typeof rightsByVerb

export const rights: Readonly<Record<Verb, Right>> = rightsByVerb

/** The project that a request names, and the one that was found by that name. */
export interface Named {
  name: string
  project: Project | undefined
}

/**
 * The one place that decides whether a caller may do something, on the server or to a project.
 * @throws AppError `unauthorized` or `forbidden`, then `not_found` when the project does not exist or is not this
 * caller's
 */
export function allow(caller: Caller, verb: Verb): void
export function allow(caller: Caller, verb: Verb, named: Named): Project
export function allow(caller: Caller, verb: Verb, named?: Named): Project | undefined {
  if (named?.project && isReader(caller, verb, named.project)) return named.project
  const refusal = refusalOf(caller, rights[verb])
  if (refusal) throw refusal
  if (!named) return undefined
  const { project, name } = named
  // A project of another organization looks like a missing one.
  if (project && reaches(caller, verb, project)) {
    const refused = refusalOf(caller, rights[verb], project.organizationId)
    if (refused) throw refused
    return project
  }
  const to = caller.kind === 'key' ? ' for this key' : ''
  throw new AppError(
    'not_found',
    `There is no project ${JSON.stringify(name.slice(0, 100))}${to}; check the address`,
  )
}

/** Whether a stranger on a page of this server may do something to a project because its pages are public. */
export function isReader(caller: Caller, verb: Verb, { settings }: Project): boolean {
  return (
    caller.kind === 'stranger' &&
    caller.onOwnPage === true &&
    rights[verb].readers === true &&
    visibilityOf(settings) === 'public' &&
    settings.assistantOnDocs === true
  )
}

/**
 * The same for an action on an organization.
 * @throws AppError `unauthorized`, `forbidden`, or `not_found` when it is not this caller's
 */
export function allowIn(caller: Caller, verb: Verb, organizationId: string): void {
  const refusal = refusalOf(caller, rights[verb])
  if (refusal) throw refusal
  if (!belongsTo(caller, organizationId))
    throw new AppError(
      'not_found',
      `There is no organization ${JSON.stringify(organizationId.slice(0, 100))}; check the address`,
    )
  const refused = refusalOf(caller, rights[verb], organizationId)
  if (refused) throw refused
}

/** The organizations whose projects exist for a caller; undefined: all of them. */
export function organizationsOf(caller: Caller): readonly string[] | undefined {
  if (isOperator(caller)) return undefined
  if (caller.kind === 'person') return [...caller.person.roles.keys()]
  return caller.kind === 'key' ? [caller.key.organizationId] : []
}

/** Whether the projects of an organization exist for a caller. */
export function belongsTo(caller: Caller, organizationId: string): boolean {
  return organizationsOf(caller)?.includes(organizationId) ?? true
}

/** Whether somebody runs the server: the `docwright` command on it, or the person whom that command signs in. */
export function isOperator(caller: Caller): boolean {
  return caller.kind === 'operator' || (caller.kind === 'person' && caller.person.isOperator)
}

/** The person who asks, with an account of their own: the operator has none. */
export function accountHolder(caller: Caller): Person | undefined {
  return caller.kind === 'person' && !caller.person.isOperator ? caller.person : undefined
}

/** Whom a record names as the one who did something. */
export function nameOf(caller: Caller): string {
  if (caller.kind === 'person') return caller.person.name
  if (caller.kind === 'key') return `The key ${caller.key.name ?? caller.key.id}`
  return caller.kind === 'operator' ? 'The operator' : 'Somebody'
}

/** What a prompt records of the one who asked for it. */
export function askedBy(caller: Caller): AskedByColumn | undefined {
  if (caller.kind === 'person')
    return {
      kind: caller.person.isOperator ? 'operator' : 'person',
      name: caller.person.name,
      id: caller.person.id,
    }
  if (caller.kind === 'key') return { kind: 'key', name: caller.key.name ?? caller.key.id, id: caller.key.id }
  return caller.kind === 'operator' ? { kind: 'operator', name: nameOf(caller) } : undefined
}

/** The same as an id that stays when the name changes. */
export function idOf(caller: Caller): string {
  if (caller.kind === 'person') return caller.person.id
  return caller.kind === 'key' ? caller.key.id : caller.kind
}

/** Whether `allow` would permit something, for rights that only change how a request is handled. */
export function mayDo(caller: Caller, verb: Verb, organizationId?: string): boolean {
  return refusalOf(caller, rights[verb], organizationId) === undefined
}

/** @param organizationId undefined: in any of the caller's, because it is not known yet which one is meant */
function refusalOf(caller: Caller, right: Right, organizationId?: string): AppError | undefined {
  if (caller.kind === 'operator' || right.anybody) return undefined
  if (caller.kind === 'key') {
    if (organizationId !== undefined && organizationId !== caller.key.organizationId)
      return new AppError('forbidden', 'The key belongs to another organization')
    return refusalOfKey(caller, right)
  }
  if (caller.kind === 'stranger')
    return new AppError(
      'unauthorized',
      right.admin || right.assistant
        ? 'Send a key in the Authorization header: "Authorization: Bearer svc_…"'
        : whoMay(right),
    )
  return refusalOfPerson(caller.person, right, organizationId)
}

function refusalOfPerson(
  { isOperator, roles }: Person,
  right: Right,
  organizationId?: string,
): AppError | undefined {
  const { people: needed } = right
  if (needed === undefined) return new AppError('forbidden', whoMay(right))
  if (isOperator || needed === 'signed-in') return undefined
  if (needed === 'operator') return new AppError('forbidden', 'This is for the person who runs the server')
  const own = organizationId === undefined ? [...roles.values()] : [roles.get(organizationId)]
  if (own.some((role) => role !== undefined && isAtLeast(role, needed))) return undefined
  return new AppError(
    'forbidden',
    `Only ${needed === 'viewer' ? 'people' : `an ${needed}`} of the organization may do this; ask one of its owners for the role`,
  )
}

function whoMay({ people }: Right): string {
  return `This is for ${people ? 'people who are signed in, and for ' : ''}the docwright command on the server itself`
}

function refusalOfKey(
  { key, address, origin }: Extract<Caller, { kind: 'key' }>,
  right: Right,
): AppError | undefined {
  const { admin, assistant } = right
  const scope = key.kind === 'admin' ? admin : assistant
  if (scope === undefined && admin !== undefined)
    return new AppError('forbidden', 'This needs an admin key (svc_…); the key sent is an assistant key')
  if (scope === undefined && assistant !== undefined)
    return new AppError(
      'forbidden',
      'This needs an assistant key (svc_dsc_…); the key sent is an admin key, which must stay on servers',
    )
  if (scope === undefined) return new AppError('unauthorized', whoMay(right))
  if (key.origins.length > 0 && origin !== undefined && !key.origins.includes(origin))
    return new AppError('forbidden', `The key may not be used from ${origin}; use one that lists it`)
  if (!hasScope(key, scope))
    return new AppError('forbidden', `The key lacks the scope "${scope}"; use one that has it`)
  if (key.addresses.length === 0) return undefined
  const from = address()
  if (createAddressList(key.addresses)(from)) return undefined
  return new AppError('forbidden', `The key may not be used from ${from}; use one that lists it`)
}

function reaches(caller: Caller, verb: Verb, project: Project): boolean {
  if (caller.kind === 'person') return belongsTo(caller, project.organizationId)
  if (caller.kind !== 'key') return true
  const { organizationId, projectId } = caller.key
  if (organizationId !== project.organizationId) return false
  if (projectId !== undefined && projectId !== project.id) return false
  if (rights[verb] !== docs || visibilityOf(project.settings) !== 'signed-in') return true
  // Programs have no other way to sign in than a key. Assistant keys are public, and admin keys can clone the
  // repository anyway.
  return (verb === 'useDocsTools' || verb === 'getDocsServerCard') && caller.key.kind === 'admin'
}
