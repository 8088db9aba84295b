import { Cron } from 'croner'

/** Minutes between two times of a schedule. */
const leastMinutes = 15
const looked = 8

/** What is wrong with a schedule. */
interface ScheduleProblem {
  field: 'cron' | 'zone'
  message: string
}

export function scheduleProblem(cron: string, zone: string): ScheduleProblem | undefined {
  if (!isZone(zone)) return { field: 'zone', message: 'must be a time zone such as Europe/Berlin or UTC' }
  try {
    const times = open(cron, zone).nextRuns(looked)
    if (times.length === 0) return { field: 'cron', message: 'names no time that ever comes' }
    const gaps = times.slice(1).map((time, at) => time.getTime() - (times[at]?.getTime() ?? 0))
    if (gaps.some((gap) => gap < leastMinutes * 60_000))
      return { field: 'cron', message: `must leave at least ${leastMinutes} minutes between two times` }
    return undefined
  } catch {
    return {
      field: 'cron',
      message: 'must be five fields: minute, hour, day, month, and weekday, such as 0 9 * * 1',
    }
  }
}

/** The first time after a moment; undefined where none comes. A time that summer time skips or repeats comes once. */
export function nextTime({ cron, zone }: { cron: string; zone: string }, after: Date): Date | undefined {
  return open(cron, zone).nextRun(after) ?? undefined
}

function open(cron: string, zone: string): Cron {
  return new Cron(cron, { paused: true, timezone: zone, mode: '5-part' })
}

function isZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
