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
  const reset = Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset') ?? Number.NaN)
  // A secondary limit knows no reset: the time named then is that of another limit.
  if (!(reset > 0) || (remaining !== null && remaining !== '0')) return usual
  // Some give the seconds left instead of a time.
  const left = reset > 1_000_000_000 ? reset * 1000 - clock : reset * 1000
  return Math.max(0, left) + 1000
}
