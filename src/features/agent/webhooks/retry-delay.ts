const minute = 60
const hour = 60 * minute
/** Seconds after the first, second … failed attempt: a bit over a day in all. */
const delays = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]

/** Seconds until the attempt after the failed one of that number, spread a little; undefined: it was the last. */
export function retryDelay(n: number): number | undefined {
  const delay = delays[n - 1]
  return delay === undefined ? undefined : delay * (0.9 + Math.random() * 0.2)
}
