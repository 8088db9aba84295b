import { APICallError } from '@ai-sdk/provider'
import { isRecord } from '../../lib/is-record.ts'
import { ModelTrouble, type TroubleKind } from './trouble.ts'
import { jsonOf } from '../../lib/text/json-of.ts'

export interface Failure {
  kind: TroubleKind
  /** Whether the same call may do better in a moment. */
  passing: boolean
  /** Milliseconds that the provider asks to wait before another call. */
  wait: number | undefined
  /** The provider's own words, one short line; may hold what must not be shown, such as a key. */
  words: string
}

/** Reads a failure as providers, the network and the SDK report it. */
export function classifyFailure(error: unknown): Failure {
  const cause = innermost(error)
  const { status, text, message, headers } = read(cause)
  const words = shorten(message)
  const details = { words, wait: askedWait(headers) }
  const verdict = networkVerdict(cause) ?? wordsVerdict(status, text) ?? statusVerdict(status, text)
  if (!verdict) {
    const passing = isRecord(cause) && (cause['isRetryable'] === true || headers['x-should-retry'] === 'true')
    return { kind: passing ? 'overloaded' : 'unknown', passing, ...details }
  }
  const { kind, passing = false } = verdict
  return { kind, passing: passing && headers['x-should-retry'] !== 'false', ...details }
}

// Providers say it in one of several headers.
function askedWait(headers: Record<string, string>): number | undefined {
  const milliseconds = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (milliseconds >= 0) return Math.min(milliseconds, longestWait)
  const text = headers['retry-after']
  if (text === undefined) return undefined
  const wait = /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), longestWait)
}

/** Milliseconds: a year. A later time cannot be a date. */
const longestWait = 365 * 86_400_000

/** The wrapped error: the last of several tries, the reason for "no output", the cause of a failed turn. */
export function innermost(error: unknown): unknown {
  let current = error
  for (let depth = 0; depth < 5 && current instanceof Error && !isBottom(current); depth++) {
    const next: unknown = 'lastError' in current ? current.lastError : current.cause
    // An inner system error tells less than the error around it.
    if (!isBottom(next) && !/^AI_(Retry|NoOutputGenerated)/.test(current.name)) return current
    current = next
  }
  return current
}

function isBottom(error: unknown): boolean {
  return error instanceof ModelTrouble || APICallError.isInstance(error)
}

interface Read {
  status: number | undefined
  message: string
  text: string
  headers: Record<string, string>
}

function read(error: unknown): Read {
  if (!isRecord(error)) return { status: undefined, message: '', text: '', headers: {} }
  const { message, responseBody, responseHeaders } = error
  const said = typeof message === 'string' ? message : ''
  const body = typeof responseBody === 'string' ? responseBody : ''
  // An event that is no piece of an answer is kept unchanged.
  const answer = parse(body) ?? error['value'] ?? responseBody
  const own = ownError(answer)
  const codes = [error, own].flatMap((from) => (isRecord(from) ? [from['type'], from['code']] : [])).join(' ')
  return {
    status: statusOf(error, own, codes),
    message: wordsIn(answer) ?? said,
    text: `${said.slice(0, 2000)}\n${codes}\n${body.slice(0, 4000)}`.toLowerCase(),
    headers: {
      ...(isRecord(responseHeaders) && (responseHeaders as Record<string, string>)),
      ...pauseIn(body),
    },
  }
}

/** Errors within a stream, and within what looks like a success, come as the provider's own objects. */
function statusOf(error: Record<string, unknown>, own: unknown, codes: string): number | undefined {
  const { statusCode, responseBody } = error
  // When an error came within an answer, the package invented its status.
  const isOwn = isRecord(own) && (isRecord(responseBody) || statusCode === 200)
  if (typeof statusCode === 'number' && !isOwn) return statusCode
  const code = Number(isRecord(own) ? own['code'] : error['code'])
  if (code >= 400 && code < 600) return code
  if (codes.includes('rate_limit')) return 429
  if (/overloaded|server_error|api_error/.test(codes)) return 500
  return isOwn ? 500 : undefined
}

/** An answer's own error; OpenAI puts it into the response that failed, and sends events that are errors. */
export function ownError(answer: unknown): unknown {
  if (!isRecord(answer)) return undefined
  const { type, error, response } = answer
  if (type === 'error' && (error ?? undefined) === undefined) return answer
  return error ?? (isRecord(response) ? response['error'] : undefined) ?? undefined
}

/** The provider's message, where its answer has a form that the SDK does not know. */
function wordsIn(answer: unknown): string | undefined {
  if (!isRecord(answer)) return undefined
  const error = ownError(answer)
  const texts = [isRecord(error) ? error['message'] : error, answer['message'], answer['detail']]
  return texts.find((text) => typeof text === 'string')
}

/** Google tells how long to wait only in the body. */
function pauseIn(body: string): Record<string, string> {
  const [, seconds] = /"retryDelay":\s{0,9}"(\d{1,6}(?:\.\d{1,9})?)s"/.exec(body.slice(0, 4000)) ?? []
  return seconds === undefined ? {} : { 'retry-after': seconds }
}

function parse(body: string): unknown {
  return body.length > 20_000 ? undefined : jsonOf(body)
}

type Verdict = { kind: TroubleKind; passing?: boolean }

const said: { kind: TroubleKind; passing?: boolean; phrases: string[]; statuses?: number[] }[] = [
  {
    kind: 'quota',
    phrases: [
      'insufficient_quota',
      'credit balance',
      'billing_error',
      'insufficient credits',
      'budget has been exceeded',
      'budget_exceeded',
      'exceededbudget',
      'billing hard limit',
    ],
  },
  {
    kind: 'key',
    phrases: [
      'api key not valid',
      'api_key_invalid',
      'invalid api key',
      'incorrect api key',
      'no connected db',
    ],
  },
  { kind: 'forbidden', phrases: ['key_model_access_denied', 'not allowed to access model'] },
  {
    kind: 'tools',
    phrases: [
      'does not support tools',
      'support tool use',
      'enable-auto-tool-choice',
      '--jinja',
      'tool calling is not supported',
      'does not support function calling',
      'function calling is not enabled',
      'tools param requires',
    ],
  },
  {
    // Servers also say so with the status of their own failures, although the same request will never do better.
    kind: 'template',
    statuses: [400, 422, 500],
    phrases: [
      'must alternate',
      'jinja',
      'chat template',
      'chat_template',
      'no user query found',
      // Where in a template it failed.
      ' at row ',
      'while executing ',
      "'dict object' has no attribute",
    ],
  },
  {
    kind: 'context',
    statuses: [400, 413, 422, 500],
    phrases: [
      'context_length_exceeded',
      'context length',
      'context window',
      'context size',
      'prompt is too long',
      'input is too long',
      'request_too_large',
      'input token count',
      'too many tokens',
    ],
  },
  {
    kind: 'model',
    statuses: [400, 404],
    phrases: [
      'model_not_found',
      'not a valid model',
      'no endpoints found',
      'unknown model',
      'invalid model',
      'model not found',
    ],
  },
]

function wordsVerdict(status: number | undefined, text: string): Verdict | undefined {
  const rule = said.find(
    ({ phrases, statuses }) =>
      (status === undefined || statuses === undefined || statuses.includes(status)) &&
      phrases.some((phrase) => text.includes(phrase)),
  )
  return rule && { kind: rule.kind }
}

function statusVerdict(status: number | undefined, text: string): Verdict | undefined {
  if (status === undefined) return undefined
  if (status === 401) return { kind: 'key' }
  if (status === 402) return { kind: 'quota' }
  if (status === 403) return { kind: 'forbidden' }
  if (status === 404) return { kind: /model/.test(text) ? 'model' : 'address' }
  // The address redirects, perhaps to https, and the request was repeated there with GET.
  if (status === 405) return { kind: 'address' }
  if (status === 400 && text.includes('model') && text.includes('does not exist')) return { kind: 'model' }
  if (status === 408 || status === 504) return { kind: 'timeout', passing: true }
  if (status === 413) return { kind: 'context' }
  if (status === 429) return { kind: 'rate', passing: true }
  if (status === 409 || status >= 500) return { kind: 'overloaded', passing: true }
  return status < 300 ? { kind: 'answer' } : undefined
}

/** Another try would wait for the headers for minutes again. */
const slow = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])
const cut = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

function networkVerdict(error: unknown): Verdict | undefined {
  let current: unknown = error
  for (let depth = 0; depth < 5 && current instanceof Error; depth++) {
    const verdict =
      codeVerdict('code' in current ? current.code : undefined) ?? nameVerdict(current, read(error).status)
    if (verdict) return verdict
    current = current.cause
  }
  return undefined
}

function codeVerdict(code: unknown): Verdict | undefined {
  if (typeof code !== 'string') return undefined
  if (slow.has(code)) return { kind: 'timeout' }
  if (cut.has(code)) return { kind: 'cut', passing: true }
  // The name is not known, which a misspelled address is a more likely reason for than an outage.
  if (code === 'ENOTFOUND') return { kind: 'unreachable' }
  if (/^(?!ERR_)(E[A-Z_]{3,}$|UND_ERR_)/.test(code)) return { kind: 'unreachable', passing: true }
  return /CERT|ERR_TLS|ERR_SSL/.test(code) ? { kind: 'unreachable' } : undefined
}

function nameVerdict({ name, message, cause }: Error, status: number | undefined): Verdict | undefined {
  if (name === 'TimeoutError') return { kind: 'timeout' }
  if (name === 'TypeError' && message === 'terminated') return { kind: 'cut', passing: true }
  if (name === 'TypeError' && message === 'fetch failed' && !(cause instanceof Error))
    return { kind: 'unreachable', passing: true }
  if (name === 'AI_InvalidResponseDataError')
    return { kind: message.includes('without a finish reason') ? 'cut' : 'answer', passing: true }
  return /^AI_(JSONParse|TypeValidation|EmptyResponseBody)Error$/.test(name) && (status ?? 200) < 300
    ? { kind: 'answer' }
    : undefined
}

function shorten(message: string): string {
  const line = message
    .slice(0, 2000)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return line.length > 300 ? `${line.slice(0, 300)}…` : line
}
