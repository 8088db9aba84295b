/** A host's answer to a request over its rate limit. */
interface Answer {
  status: number
  headers: Headers
  /** The host's own words. */
  detail: string
}

const usual = 60_000
/** A week: later times are mistakes. */
const longest = 7 * 86_400_000

/**
 * Milliseconds to wait after a rate limit; undefined when the request was refused for another reason. Understands
 * `Retry-After`, GitHub's primary and secondary limits, and the reset times of GitHub, GitLab and others.
 */
export function rateLimitPause(answer: Answer, now: Date): number | undefined {
  const pause = pauseOf(answer, now)
  return pause && Math.min(pause, longest)
}

/** Below this share of the allowed requests, work that can wait leaves the rest to work that cannot. */
const spared = 0.2

/**
 * Until when few requests are left, from the headers of an answer; `'enough'` while there are more, undefined when
 * the headers do not tell.
 */
export function scarcity(headers: Headers, now: Date): Date | 'enough' | undefined {
  // GitHub counts some resources separately, and these headers describe only one of them.
  if ((headers.get('x-ratelimit-resource') ?? 'core') !== 'core') return undefined
  const most = numberIn(headers, 'limit')
  const left = numberIn(headers, 'remaining')
  if (!(most > 0) || !(left >= 0)) return undefined
  if (left >= most * spared) return 'enough'
  const clock = Date.parse(headers.get('date') ?? '') || now.getTime()
  return new Date(now.getTime() + Math.min(untilReset(headers, clock) ?? usual, longest))
}

function numberIn(headers: Headers, name: 'limit' | 'remaining' | 'reset'): number {
  const text = headers.get(`x-ratelimit-${name}`) ?? headers.get(`ratelimit-${name}`)
  return text === null ? Number.NaN : Number(text)
}

function untilReset(headers: Headers, clock: number): number | undefined {
  const reset = numberIn(headers, 'reset')
  if (!(reset > 0)) return undefined
  // Some hosts send the remaining seconds instead of a time.
  const left = reset > 1_000_000_000 ? reset * 1000 - clock : reset * 1000
  return Math.max(0, left) + 1000
}

function pauseOf({ status, headers, detail }: Answer, now: Date): number | undefined {
  if (status !== 429 && status !== 403 && status !== 503) return undefined
  // Times in headers are compared with the host's clock.
  const clock = Date.parse(headers.get('date') ?? '') || now.getTime()
  const after = headers.get('retry-after')
  if (after !== null) {
    const seconds = /^\d{1,9}$/.test(after.trim()) ? Number(after) : (Date.parse(after) - clock) / 1000
    return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : usual
  }
  if (status === 503) return undefined
  const remaining = headers.get('x-ratelimit-remaining') ?? headers.get('ratelimit-remaining')
  const isLimited = status === 429 || remaining === '0' || /rate limit|abuse detection/i.test(detail)
  if (!isLimited) return undefined
  // A secondary limit has no reset time: the header then names the time of another limit.
  if (remaining !== null && remaining !== '0') return usual
  return untilReset(headers, clock) ?? usual
}
