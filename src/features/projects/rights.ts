import type { AdminScope, AssistantScope } from './scopes.ts'
import type { Role } from './person.ts'

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

export const operator: Right = {}
export const anybody: Right = { anybody: true }
export const signedIn: Right = { people: 'signed-in' }
export const editors: Right = { people: 'editor' }
export const owners: Right = { people: 'owner' }
export const readJobs: Right = { people: 'viewer', admin: 'jobs:read' }
export const writeJobs: Right = { people: 'editor', admin: 'jobs:write' }
export const webhooks: Right = { people: 'owner', admin: 'webhooks' }
export const clone: Right = { people: 'viewer', admin: 'repository:read' }
export const assistant: Right = { people: 'viewer', assistant: 'assistant' }
export const readProjects: Right = { people: 'viewer', admin: 'projects:read' }
export const syncProjects: Right = { people: 'editor', admin: 'projects:write' }
export const writeProjects: Right = { people: 'owner', admin: 'projects:write' }
export const readPulls: Right = { people: 'viewer', admin: 'pulls:read' }
export const writePulls: Right = { people: 'editor', admin: 'pulls:write' }
export const manageKeys: Right = { people: 'owner', admin: 'keys' }
export const readAudit: Right = { people: 'owner', admin: 'audit:read' }
/** What the assistant beside public pages needs. */
export const askAsReader: Right = { ...assistant, readers: true }
export const readInsights: Right = { people: 'viewer', admin: 'insights:read' }
export const writeInsights: Right = { people: 'editor', admin: 'insights:write' }
export const search: Right = { people: 'viewer', assistant: 'search' }
export const docs: Right = { people: 'viewer', admin: 'repository:read', assistant: 'search' }

/** Those of the older interface: the same as for what they are made of. */
export const olderRights = {
  createJobV1: writeJobs,
  getJobV1: readJobs,
  listJobsV1: readJobs,
  /** A job fetches the repository too, so that a key for jobs may ask for it. */
  startUpdateV1: writeJobs,
  getUpdateV1: readJobs,
  createPreviewV1: writeJobs,
  triggerAutomationV1: writeJobs,
  listConversationsV1: readInsights,
  getConversationV1: readInsights,
  countCallersV1: readInsights,
  listFeedbackV1: readInsights,
  countFeedbackV1: readInsights,
  listSearchesV1: readInsights,
  countViewsV1: readInsights,
  countVisitorsV1: readInsights,
} as const satisfies Record<string, Right>
