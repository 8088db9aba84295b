import type { z } from 'zod'
import { endingSignal } from '../../../lib/ending-signal.ts'
import { AppError, type ErrorCode } from '../../../lib/errors.ts'
import { exactTimeText } from '../../../lib/text/time-words.ts'
import type { HostClientOptions, HostLimits, Query } from './host-client-options.ts'
import { HostFailure } from './host-failure.ts'
import { rateLimitPause } from './rate-limit.ts'
import { readDetail } from './read-detail.ts'
import { sendRequest, type WholeAnswer } from './send-request.ts'

export type Settings = HostClientOptions & { limits: HostLimits; note: (headers: Headers) => void }

export interface Operation {
  what: string
  signal: AbortSignal
  /** Milliseconds of the clock at which it ends. */
  until: number
}

export interface HostRequest {
  method: string
  path: string
  query?: Query | undefined
  body?: unknown
}

/** Sends a request once, and once more with a new credential when the present one is refused. */
export async function attempt(
  settings: Settings,
  operation: Operation,
  request: HostRequest,
): Promise<WholeAnswer> {
  const proof = (await settings.authorization?.(false)) ?? {}
  const answer = await send(settings, operation, request, proof)
  if (answer.status !== 401 || !settings.authorization) return check(settings, operation, answer, proof)
  const renewed = await settings.authorization(true)
  const isNew = JSON.stringify(renewed) !== JSON.stringify(proof)
  const second = isNew ? await send(settings, operation, request, renewed) : answer
  return check(settings, operation, second, renewed)
}

/** @throws HostFailure `unavailable` for what does not have the form it should have */
export function parseAnswer<S extends z.ZodType>(
  name: string,
  what: string,
  schema: S,
  value: unknown,
): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const at = result.error.issues[0]?.path.map(String).join('.') ?? ''
  throw new HostFailure(
    'unavailable',
    `Unexpected response from ${name} (could not ${what}${at === '' ? '' : ` (${at})`}). Check the git host URL and version`,
    { refused: false, passing: false, cause: result.error },
  )
}

async function send(
  { ports, name, base, headers, limits, note }: Settings,
  { what, signal }: Operation,
  { method, path, query, body }: HostRequest,
  proof: Record<string, string>,
): Promise<WholeAnswer> {
  const url = new URL(`${base}${path}`)
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== undefined) url.searchParams.set(key, String(value))
  }
  using waiting = endingSignal({ signals: [signal], milliseconds: limits.request })
  const request = {
    method,
    headers: {
      accept: 'application/json',
      'user-agent': 'docwright',
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...proof,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: waiting.signal,
  }
  try {
    const answer = await sendRequest(ports.fetch, url, request, limits.bytes)
    note(answer.headers)
    return answer
  } catch (error) {
    if (error instanceof AppError) throw error
    const { reason, passing, isUnknownName } = explainSilence(error)
    // Errors of fetch may quote a header, so they are not passed on.
    throw new HostFailure('unavailable', `${name} at ${url.origin} can’t be reached to ${what}: ${reason}`, {
      refused: false,
      passing,
      isUnknownName,
    })
  }
}

function check(
  { ports, name, base, remedy }: Settings,
  { what }: Operation,
  answer: WholeAnswer,
  proof: Record<string, string>,
): WholeAnswer {
  const { status, headers, body, readable } = answer
  if (status >= 200 && status < 300) {
    if (readable) return answer
    throw new HostFailure(
      'unavailable',
      `${name} at ${base} answered the request to ${what} with something other than JSON, or the answer was cut off. If this continues, check the URL of the git host`,
      { status, refused: false, passing: true },
    )
  }
  const detail = readDetail(body, (text) => redact(text, proof))
  const now = ports.now()
  const pause = rateLimitPause({ status, headers, detail }, now)
  if (pause !== undefined) {
    const retryAt = new Date(now.getTime() + pause)
    throw new HostFailure(
      'unavailable',
      `${name} rate limit reached (could not ${what}). Resets at ${exactTimeText(retryAt)}`,
      { status, detail, refused: status !== 503, passing: true, retryAt },
    )
  }
  const advice = status === 403 ? remedy?.({ headers, body, detail }) : undefined
  throw new HostFailure(codeOfStatus(status), explainAnswer(name, what, { status, detail, advice }), {
    status,
    detail,
    refused: status < 500,
    passing: status >= 500,
  })
}

// A host may repeat the credential in its answer, and it must not get into a log.
function redact(text: string, proof: Record<string, string>): string {
  let clean = text
  for (const secret of Object.values(proof).flatMap((value) => value.split(' '))) {
    if (secret.length > 6) clean = clean.replaceAll(secret, '[secret]')
  }
  return clean
}

/** Why no answer came, from what fetch throws; `passing` when a repetition may succeed. */
export function explainSilence(error: unknown): {
  reason: string
  passing: boolean
  isUnknownName?: boolean
} {
  const code = codeOf(error, 0)
  if (code === undefined) return { reason: 'the connection broke', passing: true }
  if (code === 'TimeoutError' || code === 'AbortError' || code.includes('TIMEOUT')) {
    return { reason: 'it did not answer in time', passing: true }
  }
  if (code === 'ENOTFOUND')
    return { reason: 'its name is unknown. Check the URL', passing: false, isUnknownName: true }
  if (code === 'EAI_AGAIN')
    return { reason: 'its name cannot be looked up now', passing: true, isUnknownName: true }
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/.test(code)) {
    return {
      reason: `its certificate is not trusted (${code}): name the file of its authority in NODE_EXTRA_CA_CERTS`,
      passing: false,
    }
  }
  return { reason: code, passing: true }
}

function codeOf(error: unknown, depth: number): string | undefined {
  if (!(error instanceof Error) || depth > 5) return undefined
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return error.name
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  const firstCode = code ?? codeOf(inner, depth + 1)
  return firstCode !== undefined && /^\w{1,60}$/.test(firstCode) ? firstCode : undefined
}

const codes: Record<number, ErrorCode> = {
  400: 'invalid',
  401: 'unauthorized',
  402: 'forbidden',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  410: 'not_found',
  413: 'too_large',
  422: 'invalid',
  // Gitea's answer for an archived repository.
  423: 'forbidden',
  451: 'forbidden',
}

function codeOfStatus(status: number): ErrorCode {
  return codes[status] ?? (status >= 400 && status < 500 ? 'invalid' : 'unavailable')
}

/**
 * One sentence: what is wrong and what to do.
 * @param what a verb and its object: `open a pull request in owner/name`
 * @param advice what to do about a 403, where the answer tells: `it needs the permission …`
 */
function explainAnswer(
  host: string,
  what: string,
  { status, detail, advice }: { status: number; detail: string; advice: string | undefined },
): string {
  const said = detail === '' ? '' : ` (${detail})`
  switch (status) {
    case 401:
      return `${host} rejected the credential (could not ${what}${said}). It may be wrong, expired, or revoked. Update or replace it`
    case 403:
      return `${host} does not let the credential ${what}${said}: ${advice ?? 'give it the permission for that'}`
    case 404:
      return `${host} returned 404 (could not ${what}${said}). The resource doesn’t exist or the credential can’t access it`
    case 410:
      return `${host} cannot ${what}${said}: it no longer exists or switched off there`
    case 423:
      return `${host} cannot ${what}${said}: the repository is archived or locked, so unlock it first`
    case 451:
      return `${host} does not ${what}${said}: it is blocked for legal reasons`
    default:
      return status >= 500
        ? `${host} failed to ${what} with status ${status}${said}: try again later`
        : `${host} refused to ${what} with status ${status}${said}`
  }
}
