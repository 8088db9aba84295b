/** What a host says in answer to a request too many. */
interface Answer {
  status: number
  headers: Headers
  /** The host's own words. */
  detail: string
}

const usual = 60_000
/** A week: no time that can be meant is further away. */
const longest = 7 * 86_400_000

/**
 * How long a host wants to be left alone, in milliseconds; undefined when it did not refuse for a rate limit.
 * Understands `Retry-After`, GitHub's primary and secondary limits, and the reset times of GitHub, GitLab and others.
 */
export function rateLimitPause(answer: Answer, now: Date): number | undefined {
  const pause = pauseOf(answer, now)
  return pause && Math.min(pause, longest)
}

/** Below this share of the requests that a host allows, what can wait leaves the others to what cannot. */
const spared = 0.2

/**
 * Until when few requests are left by the headers of an answer; `'enough'` while there are more, undefined when they do
 * not tell.
 */
export function scarcity(headers: Headers, now: Date): Date | 'enough' | undefined {
  // GitHub counts some things apart, of which this says nothing.
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
  // Some give the seconds left instead of a time.
  const left = reset > 1_000_000_000 ? reset * 1000 - clock : reset * 1000
  return Math.max(0, left) + 1000
}

function pauseOf({ status, headers, detail }: Answer, now: Date): number | undefined {
  if (status !== 429 && status !== 403 && status !== 503) return undefined
  // The host's clock counts for times that it names.
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
  // A secondary limit knows no reset: the time named then is that of another limit.
  if (remaining !== null && remaining !== '0') return usual
  return untilReset(headers, clock) ?? usual
}
