import { expect, test } from 'vitest'
import { errorCodesIn, isErrorMessage, readPasted } from './pasted-text.ts'

const log = (lines: number, trouble: string): string =>
  Array.from({ length: lines }, (_, n) =>
    n === 137
      ? trouble
      : `2026-03-01 10:00:${String(n % 60).padStart(2, '0')}.123 [${1000 + n}] INFO worker took job ${n}`,
  ).join('\n')

test('of a log the lines that say what went wrong are asked for', () => {
  const { asked, rest } = readPasted(
    log(200, '2026-03-01 10:17:59.137 [1137] ERROR TP-4021: LaneBlockedError'),
  )
  expect(asked).toBe('ERROR TP-4021: LaneBlockedError')
  expect(rest.split('\n')).toHaveLength(199)
})

test('of a stack trace the exception is asked for, not the files that it went through', () => {
  const frames = Array.from(
    { length: 30 },
    (_, n) => `    at Object.step${n} (/srv/app/install-${n}.js:${n}:9)`,
  )
  expect(readPasted(`Uncaught LaneBlockedError: cannot write\n${frames.join('\n')}`).asked).toBe(
    'Uncaught LaneBlockedError: cannot write',
  )
})

test('of a command and its output the question, the command with its flags and the end are asked for', () => {
  const { asked } = readPasted(
    'I get this when I start it:\n\n$ tidepool serve --port 7411\nreading tidepool.yaml\nstarting 4 workers\nfatal: cannot bind to port 7411\nexit status 1',
  )
  expect(asked).toBe(
    'I get this when I start it:\ntidepool serve --port 7411\nfatal: cannot bind to port 7411',
  )
})

test('a question of several lines, a configuration and a bare code are asked for as they are', () => {
  for (const text of [
    'How do I install it?\nI have Windows.\nIt is an old machine.',
    'listen_port: 7411\nretention_days: 30\nlog_level: debug',
    'E4021',
    '',
  ])
    expect(readPasted(text)).toEqual({ asked: text, rest: '' })
})

test('a text without end is read to a bound', () => {
  const { asked, rest } = readPasted('ERROR x failed '.repeat(100_000).replaceAll('failed ', 'failed\n'))
  expect(asked.length).toBeLessThan(1500)
  expect(rest.length).toBeLessThan(40_000)
})

test('of what a command says under its own name, and of a setting that the question names, the lines are asked for', () => {
  expect(
    readPasted('$ tide apply\nreading settings\ntide: timeout obtaining the lock\n$ echo $?\n1').asked,
  ).toBe('tide apply\ntide: timeout obtaining the lock')
  const { asked } = readPasted(
    'Folder = "/mnt"\nScanner.Schedule = "24h"\nLevel = "debug"\n\nwhat does the schedule line do?',
  )
  expect(asked).toBe('Scanner.Schedule = "24h"\nwhat does the schedule line do?')
  expect(readPasted('FOLDER=/mnt\nTAKE_COUNT=20\nLEVEL=debug\n\nwhat is TAKE_COUNT?').asked).toBe(
    'TAKE_COUNT=20\nwhat is TAKE_COUNT?',
  )
})

test('the codes and names of errors are those that documentation can repeat', () => {
  expect(
    errorCodesIn('httpx.ConnectError: refused (E4021)\n{"code":"rate_limit_exceeded","count":3}'),
  ).toEqual(['ConnectError', 'E4021', 'rate_limit_exceeded'])
  expect(errorCodesIn('Fatal: no index, run `tide repair index` first')).toEqual(['tide repair index'])
  expect(errorCodesIn('How do I see an error or an exception?')).toEqual([])
  expect(errorCodesIn('ERR_TIDE_LOCK_121 the lane is locked')).toEqual(['ERR_TIDE_LOCK_121'])
})

test('a program that links to what it says names it in the address', () => {
  const whole =
    'Locked (E17)\nSee https://tide.example/2.7/u/lane-is-locked\nor https://tide.example/errors#no_lane.'
  expect(errorCodesIn('Locked', whole)).toEqual(['lane-is-locked', 'no_lane'])
})

test('one line is an error message where a program says so, and a question where somebody asks', () => {
  expect(isErrorMessage('Error: EACCES: permission denied')).toBe(true)
  expect(isErrorMessage('pool.TimeoutException: no connection')).toBe(true)
  expect(isErrorMessage('$ tide sync\ncannot reach the lock of lane 3')).toBe(true)
  expect(isErrorMessage('{"error":"too large","status":413}')).toBe(true)
  expect(isErrorMessage('2024/03/01 10:00:01 Failed to create lane: no roots')).toBe(true)
  expect(isErrorMessage('time="2024-01-05" level=error msg="too old"')).toBe(true)
  expect(isErrorMessage("panicked at 'cannot call imported functions'")).toBe(true)
  expect(isErrorMessage('TIDE50105: The user has no role')).toBe(true)
  expect(isErrorMessage('What is Error: EACCES: permission denied?')).toBe(false)
  expect(isErrorMessage('How do I handle an error')).toBe(false)
})
