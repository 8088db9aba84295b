import { isRecord } from '../../../lib/is-record.ts'

/** The status that an error within a success should have had; undefined where there is none. */
export function statusOfError(answer: Record<string, unknown>): number | undefined {
  const [choice]: unknown[] = Array.isArray(answer['choices']) ? answer['choices'] : []
  if (isRecord(choice) && choice['finish_reason'] !== 'error') return undefined
  const error = answer['error'] ?? (isRecord(choice) ? choice['error'] : undefined)
  if (typeof error === 'string') return /unexpected endpoint/i.test(error) ? 404 : 502
  if (!isRecord(error)) return undefined
  const code = Number(error['code'])
  if (code >= 400 && code < 600) return code
  const said = `${String(error['type'])} ${String(error['code'])}`
  if (said.includes('rate_limit')) return 429
  return said.includes('invalid_request') ? 400 : 502
}
