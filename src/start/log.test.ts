import { expect, it } from 'vitest'
import { AppError } from '../lib/errors.ts'
import { describeError, describeLine } from './log.ts'

const time = new Date(2026, 0, 2, 12, 3, 45).getTime()

it('shows a line of the log to people, without what moves a terminal', () => {
  const line = {
    level: 40,
    time,
    pid: 1,
    hostname: 'h',
    projectId: 'prj_1',
    msg: 'A sync failed: \u001b[2Jno host',
  }
  expect(describeLine(JSON.stringify(line), process.stderr)).toBe(
    '12:03:45 warn  A sync failed: \u{FFFD}[2Jno host  projectId=prj_1\n',
  )
})

it('shows the stack of a defect, and only the message of an error that is written for people', () => {
  const shown = (error: Error): string =>
    describeLine(
      JSON.stringify({ level: 50, time, err: describeError(error), msg: 'It failed' }),
      process.stderr,
    )
  expect(shown(new AppError('not_found', 'There is no branch "x"'))).toBe(
    '12:03:45 error It failed: There is no branch "x"\n',
  )
  expect(shown(new TypeError('x is not a function'))).toMatch(
    /^12:03:45 error It failed: x is not a function\nTypeError: x is not a function\n {4}at /,
  )
})
