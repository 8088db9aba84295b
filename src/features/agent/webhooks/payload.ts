import type { Selectable } from 'kysely'
import type { Tables } from '../../../store/tables.ts'

export type JobStatus = Selectable<Tables['jobs']>['status']

/** What a receiver gets, as Standard Webhooks lays it out: one type, one time, and data. */
export interface WebhookPayload {
  type: string
  /** When it happened, ISO 8601; not when it was sent. */
  timestamp: string
  data: {
    job?: {
      id: string
      projectId: string
      /** As the event leaves it. */
      status: JobStatus
      title: string
      /** As on the job: null while it is active. */
      prLink: string | null
      pullRequest: { link: string; number: number; state: string } | null
    }
    [name: string]: unknown
  }
}

/** The text that is signed and sent. Pull requests that live on this server are kept by their path. */
export function payloadText(stored: string, publicUrl: string): string {
  const payload = JSON.parse(stored) as WebhookPayload
  const { job } = payload.data
  if (!job) return stored
  const absolute = (link: string): string => (link.startsWith('/') ? `${publicUrl}${link}` : link)
  if (job.prLink !== null) job.prLink = absolute(job.prLink)
  if (job.pullRequest) job.pullRequest.link = absolute(job.pullRequest.link)
  return JSON.stringify(payload)
}
