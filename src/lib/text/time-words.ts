/** `2026-01-31`, in UTC, for people. */
export function dayText(time: Date | string): string {
  return isoOf(time).slice(0, 10)
}

/** `2026-01-31 12:00 UTC`, for people. */
export function timeText(time: Date | string): string {
  return `${isoOf(time).slice(0, 16).replace('T', ' ')} UTC`
}

/** The same to the second, where somebody waits for that time. */
export function exactTimeText(time: Date | string): string {
  return `${isoOf(time).slice(0, 19).replace('T', ' ')} UTC`
}

function isoOf(time: Date | string): string {
  return new Date(time).toISOString()
}
