import { createHmac, timingSafeEqual } from 'node:crypto'

/** Seconds by which a call may be older or newer than now: an older one is a replay. */
const tolerance = 300

/** Whether Slack has signed a call, after its documentation of signing secrets. */
export function verifySignature(secret: string, headers: Headers, body: string, now: number): boolean {
  const timestamp = headers.get('x-slack-request-timestamp') ?? ''
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > tolerance) return false
  const expected = Buffer.from(
    `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`,
  )
  const signature = Buffer.from(headers.get('x-slack-signature') ?? '')
  return signature.length === expected.length && timingSafeEqual(signature, expected)
}
