/** The events of webhooks, by the names that receivers see. */
export const webhookEvents = [
  'job.started',
  'job.needs_attention',
  'job.needs_input',
  'job.pull_request_opened',
  'job.completed',
  'job.failed',
] as const

export type WebhookEvent = (typeof webhookEvents)[number]
