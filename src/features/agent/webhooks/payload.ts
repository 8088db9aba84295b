import { pullRequestUrl } from '../../../lib/pull-request-url.ts'
import type { Selectable } from 'kysely'
import type { Tables } from '../../../store/tables.ts'

export type JobStatus = Selectable<Tables['jobs']>['status']

/** The payload that a receiver gets, in the format of Standard Webhooks: a type, a timestamp and data. */
export interface WebhookPayload {
  type: string
  /** When the event happened, ISO 8601; not when it was sent. */
  timestamp: string
  data: {
    job?: {
      id: string
      projectId: string
      /** The job's status after the event. */
      status: JobStatus
      title: string
      /** As in the job: null while it is active. */
      prLink: string | null
      pullRequest: { link: string; number: number; state: string } | null
    }
    [name: string]: unknown
  }
}

/**
 * The text that is signed and sent. Pull requests on this server are stored with a path, which becomes a full link
 * here.
 */
export function payloadText(stored: string, publicUrl: string): string {
  const payload = JSON.parse(stored) as WebhookPayload
  const { job } = payload.data
  if (!job) return stored
  if (job.prLink !== null) job.prLink = pullRequestUrl(publicUrl, job.prLink)
  if (job.pullRequest) job.pullRequest.link = pullRequestUrl(publicUrl, job.pullRequest.link)
  return JSON.stringify(payload)
}
