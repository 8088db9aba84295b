import { expect, it } from 'vitest'
import { dayText, exactTimeText, timeText } from './time-words.ts'

it('says times in UTC, of whatever form and zone they are given', () => {
  const time = '2026-01-31T23:30:15.250+02:00'
  for (const given of [time, new Date(time)]) {
    expect(dayText(given)).toBe('2026-01-31')
    expect(timeText(given)).toBe('2026-01-31 21:30 UTC')
    expect(exactTimeText(given)).toBe('2026-01-31 21:30:15 UTC')
  }
})
