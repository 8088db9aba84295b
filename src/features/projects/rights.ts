import type { AdminScope, AssistantScope, Role } from './roles.ts'

/** Who may do something besides the operator, who may do everything. */
export interface Right {
  anybody?: true
  /**
   * The role that people need in the organization. `signed-in`: none, as for one's own account. `operator`: no role
   * is enough, only those who run the server.
   */
  people?: Role | 'signed-in' | 'operator'
  /** The scope that admin keys need. When it is absent, admin keys are not allowed. */
  admin?: AdminScope
  assistant?: AssistantScope
  /** Readers of public pages on this server, where the project's setting allows it. */
  readers?: true
}

const operator: Right = {}
const anybody: Right = { anybody: true }
const signedIn: Right = { people: 'signed-in' }
const editors: Right = { people: 'editor' }
const owners: Right = { people: 'owner' }
const readJobs: Right = { people: 'viewer', admin: 'jobs:read' }
const writeJobs: Right = { people: 'editor', admin: 'jobs:write' }
const webhooks: Right = { people: 'owner', admin: 'webhooks' }
const clone: Right = { people: 'viewer', admin: 'repository:read' }
const assistant: Right = { people: 'viewer', assistant: 'assistant' }
const readProjects: Right = { people: 'viewer', admin: 'projects:read' }
const syncProjects: Right = { people: 'editor', admin: 'projects:write' }
const writeProjects: Right = { people: 'owner', admin: 'projects:write' }
const readPulls: Right = { people: 'viewer', admin: 'pulls:read' }
const writePulls: Right = { people: 'editor', admin: 'pulls:write' }
const manageKeys: Right = { people: 'owner', admin: 'keys' }
const readAudit: Right = { people: 'owner', admin: 'audit:read' }
/** What the assistant beside public pages needs. */
const askAsReader: Right = { ...assistant, readers: true }
const readInsights: Right = { people: 'viewer', admin: 'insights:read' }
const writeInsights: Right = { people: 'editor', admin: 'insights:write' }
const search: Right = { people: 'viewer', assistant: 'search' }
export const docs: Right = { people: 'viewer', admin: 'repository:read', assistant: 'search' }

/** Those of the older interface: the same as for what they are made of. */
const olderRights = {
  createJobV1: writeJobs,
  getJobV1: readJobs,
  listJobsV1: readJobs,
  /** A job fetches the repository too, so that a key for jobs may ask for it. */
  startUpdateV1: writeJobs,
  getUpdateV1: readJobs,
  createPreviewV1: writeJobs,
  listConversationsV1: readInsights,
  getConversationV1: readInsights,
  countCallersV1: readInsights,
  listFeedbackV1: readInsights,
  countFeedbackV1: readInsights,
  listSearchesV1: readInsights,
  countViewsV1: readInsights,
  countVisitorsV1: readInsights,
} as const satisfies Record<string, Right>

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
  listChats: owners,
  connectChat: owners,
  changeChatChannel: owners,
  disconnectChat: owners,
  /** Signed by the platform. */
  receiveChatEvent: anybody,
  linkChatAccount: signedIn,
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
  listWeakAnswers: readInsights,
  listPinnedAnswers: readInsights,
  pinAnswer: writeInsights,
  changePinnedAnswer: writeInsights,
  unpinAnswer: writeInsights,
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
  /** A job for the change would show the same. */
  getImpact: readJobs,
  getImpactMap: readJobs,
  keepPage: writeJobs,
  listAutomations: readJobs,
  getAutomation: readJobs,
  /** A rule gives the agent work for good. */
  createAutomation: { people: 'owner', admin: 'jobs:write' },
  changeAutomation: { people: 'owner', admin: 'jobs:write' },
  deleteAutomation: { people: 'owner', admin: 'jobs:write' },
  runAutomation: writeJobs,
  listRuns: readJobs,
  getRun: readJobs,
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
  listApps: signedIn,
  connectApp: signedIn,
  disconnectApp: signedIn,
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
  checkModel: operator,
  getCommitIdentity: operator,
  resealSecrets: operator,
  createBackup: operator,
  getHealth: anybody,
  getReadiness: anybody,
  getMetrics: operator,
  getDescription: anybody,
  getOlderDescription: anybody,
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
  registerClient: anybody,
  exchangeToken: anybody,
  revokeToken: anybody,
  getAuthorizationServer: anybody,
  getProtectedJobTools: anybody,
  getProtectedDocsTools: anybody,
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

/** What the audit log records, as it is told after the name of whoever did it. Reading and asking are not recorded. */
export const audited = {
  createJob: 'started a job',
  createJobV1: 'started a job',
  sendMessage: 'sent a follow-up to a job',
  cancelJob: 'cancelled a job',
  archiveJob: 'archived a job',
  publishJob: 'published a job’s unpublished changes',
  approve: 'approved blocked content in a job',
  keepPage: 'found a page still true',
  createAutomation: 'created an automation',
  changeAutomation: 'changed an automation',
  deleteAutomation: 'deleted an automation',
  runAutomation: 'ran an automation',
  createGapJob: 'started a job for a gap',
  createAnswerJob: 'started a job for an answer',
  changeGap: 'changed a gap',
  mergeGaps: 'merged gaps',
  pinAnswer: 'pinned an answer',
  changePinnedAnswer: 'changed a pinned answer',
  unpinAnswer: 'removed a pinned answer',
  deleteThreads: 'deleted conversations',
  createWebhook: 'added a webhook',
  deleteWebhook: 'removed a webhook',
  testWebhook: 'tested a webhook',
  resendWebhookMessage: 'sent a webhook message again',
  connectChat: 'connected a chat workspace',
  changeChatChannel: 'set up a chat channel',
  disconnectChat: 'disconnected a chat workspace',
  linkChatAccount: 'linked a chat account',
  addProject: 'added a project',
  removeProject: 'removed a project',
  changeSettings: 'changed settings',
  syncProject: 'synced the repository',
  startUpdateV1: 'synced the repository',
  enrichProject: 'resumed enrichment',
  addContextRepository: 'added a context repository',
  removeContextRepository: 'removed a context repository',
  connectProject: 'changed the git host',
  forgetCredential: 'removed the git host credential',
  mergePullRequest: 'merged a pull request',
  closePullRequest: 'closed a pull request',
  reopenPullRequest: 'reopened a pull request',
  addJobComment: 'commented on a change',
  changeJobComment: 'changed a comment on a change',
  deleteJobComment: 'deleted a comment on a change',
  sendJobComments: 'sent comments on a change to the agent',
  addComment: 'commented on a pull request',
  createKey: 'created a key',
  revokeKey: 'revoked a key',
  changeLimitSizes: 'changed limits',
  addOrganization: 'created an organization',
  changeOrganization: 'renamed the organization',
  changeRole: 'changed a role',
  removePerson: 'removed a person',
  leaveOrganization: 'left the organization',
  createInvitation: 'created an invitation',
  revokeInvitation: 'revoked an invitation',
  acceptInvitation: 'accepted an invitation',
  joinOrganization: 'joined the organization',
  createPasswordLink: 'created a password reset link',
  resetPassword: 'set a new password by link',
  grantOrganizations: 'changed who can create organizations',
  changeAccount: 'changed their account',
  changePassword: 'changed their password',
  deleteAccount: 'deleted their account',
  endSession: 'ended a session',
  endOtherSessions: 'ended all other sessions',
  addPasskey: 'added a passkey',
  removePasskey: 'removed a passkey',
  linkLogin: 'linked a sign-in provider',
  unlinkLogin: 'removed a linked account',
  connectApp: 'connected an app',
  disconnectApp: 'disconnected an app',
  createSignInLink: 'created a sign-in link of the operator',
  createBackup: 'made a backup',
  signIn: 'signed in with an operator link',
  becomeOwner: 'became the first owner',
  signInWithPassword: 'signed in with a password',
  signInWithPasskey: 'signed in with a passkey',
  startSignIn: 'signed in with an identity provider',
  signOut: 'signed out',
  resealSecrets: 'encrypted secrets again',
  exportAudit: 'exported the audit log',
  exportThreads: 'exported conversations',
} as const satisfies Partial<Record<Verb, string>>

const texts: ReadonlyMap<string, string> = new Map(Object.entries(audited))

/** How what was done to a whole project is told before the project's name. */
const toldBefore: ReadonlyMap<string, string> = new Map([
  ['addProject', 'added the project'],
  ['removeProject', 'removed the project'],
  ['changeSettings', 'changed settings of'],
  ['syncProject', 'synced the repository for'],
  ['connectProject', 'changed the git host of'],
] satisfies [Verb, string][])

/** How the log tells a verb before the name of the project that it was done in. */
export function tellVerbOfProject(verb: string): string {
  return toldBefore.get(verb) ?? `${tellVerb(verb)} in`
}

/** How the log tells a verb; the verb itself where it is not known any more. */
export function tellVerb(verb: string): string {
  return texts.get(verb) ?? verb
}

export function isAudited(verb: Verb): boolean {
  return texts.has(verb)
}
