import type { Verb } from './rights.ts'

/** What the audit log records, as it is told after the name of whoever did it. Reading and asking are not recorded. */
export const audited = {
  createJob: 'started a job',
  createJobV1: 'started a job',
  sendMessage: 'sent a follow-up to a job',
  cancelJob: 'cancelled a job',
  archiveJob: 'archived a job',
  publishJob: 'published kept changes of a job',
  approve: 'allowed what a job was refused',
  createGapJob: 'started a job for a gap',
  createAnswerJob: 'started a job for an answer',
  changeGap: 'changed a gap',
  mergeGaps: 'merged gaps',
  deleteThreads: 'deleted conversations',
  createWebhook: 'added a webhook',
  deleteWebhook: 'removed a webhook',
  testWebhook: 'tested a webhook',
  resendWebhookMessage: 'sent a webhook message again',
  addProject: 'added a project',
  removeProject: 'removed a project',
  changeSettings: 'changed settings',
  syncProject: 'had the repository read again',
  startUpdateV1: 'had the repository read again',
  enrichProject: 'had the enrichment go on',
  addContextRepository: 'added a context repository',
  removeContextRepository: 'removed a context repository',
  connectProject: 'changed the git host',
  forgetCredential: 'had the credential of the git host forgotten',
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
  revokeInvitation: 'took an invitation back',
  acceptInvitation: 'accepted an invitation',
  joinOrganization: 'joined the organization',
  createPasswordLink: 'created a link for a new password',
  resetPassword: 'set a new password by link',
  grantOrganizations: 'changed who may make organizations',
  changeAccount: 'changed their account',
  changePassword: 'changed their password',
  deleteAccount: 'deleted their account',
  endSession: 'ended a session',
  endOtherSessions: 'ended all other sessions',
  addPasskey: 'added a passkey',
  removePasskey: 'removed a passkey',
  linkLogin: 'linked a login',
  unlinkLogin: 'removed a linked login',
  createSignInLink: 'created a sign-in link of the operator',
  createBackup: 'made a backup',
  signIn: 'signed in by a link of the operator',
  becomeOwner: 'became the first owner',
  signInWithPassword: 'signed in with a password',
  signInWithPasskey: 'signed in with a passkey',
  startSignIn: 'signed in with another account',
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
  ['syncProject', 'had the repository read again for'],
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
