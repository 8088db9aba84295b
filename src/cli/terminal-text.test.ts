import { WriteStream } from 'node:tty'
import { stripVTControlCharacters, styleText } from 'node:util'
import { expect, it, onTestFinished, vi } from 'vitest'
import {
  createProgressLine,
  diffLines,
  facts,
  jsonText,
  printLines,
  stateText,
  styled,
  table,
  writeRaw,
} from './terminal-text.ts'

/** A stream that keeps what is written to it: a terminal with colours, or a file. */
function stream(isTerminal: boolean, columns = 80) {
  const written: string[] = []
  const made = Object.assign(Object.create(WriteStream.prototype) as WriteStream, {
    isTTY: isTerminal,
    columns,
    hasColors: () => isTerminal,
    getColorDepth: () => (isTerminal ? 8 : 1),
  })
  Object.defineProperty(made, 'write', { value: (text: string) => written.push(text) > 0 })
  return { stream: made, written }
}

it('colours only on a terminal, and never by what others have written', () => {
  const lines = [[styled('red', 'failed'), ' \u001b[32mfine\u001b[0m']]
  expect(printLines(lines, stream(false).stream)).toBe('failed \u{FFFD}[32mfine\u{FFFD}[0m')
  const shown = printLines([[styled('red', 'a\u001b[0mb')]], stream(true).stream)
  expect(shown).toBe('\u001b[31ma\u{FFFD}[0mb\u001b[39m')
})

it('prints a piece of a line on that line, whatever the name of a file holds', () => {
  const lines = [[styled('bold', 'a.md\nNo problem found')], [' b\nc']]
  expect(printLines(lines, stream(false).stream)).toBe('a.md\\nNo problem found\n b\\nc')
})

it('gives the runners of CI no command, and changes nothing elsewhere', () => {
  const { stream: file } = stream(false)
  const lines = [
    [styled('bold', '::error::a')],
    'Failed: b\n \u2003::set-output name=c::d',
    '##[set-output name=e]f',
  ]
  vi.stubEnv('TF_BUILD', undefined)
  vi.stubEnv('GITHUB_ACTIONS', undefined)
  expect(printLines(lines, file)).toContain('\n##[set-output name=e]f')
  vi.stubEnv('GITHUB_ACTIONS', 'true')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(printLines(lines, file)).toBe(
    ': :error::a\nFailed: b\n \u2003: :set-output name=c::d\n# #[set-output name=e]f',
  )
  expect(printLines('std::vector, ## Title, [a]: b::c', file)).toBe('std::vector, ## Title, [a]: b::c')
  const value = { a: '##[error]b ##vso[task.c]d \u009b31m ## Title' }
  expect(jsonText(value)).not.toMatch(/##\w*\[|\u009b/)
  expect(JSON.parse(jsonText(value))).toEqual(value)
})

it('gives files and pipes what programs wrote, and a terminal nothing that acts there', async () => {
  const text = 'name\r\nAnn \u001b]0;x\u0007\u009b\r\n'
  const [terminal, file] = [stream(true), stream(false)]
  for (const one of [terminal, file]) await writeRaw([text], one.stream)
  expect(file.written).toEqual([text])
  expect(terminal.written).toEqual(['name\nAnn \u{FFFD}]0;x\u{FFFD}\u{FFFD}\n'])
  const bytes = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const byte of new TextEncoder().encode('ü')) controller.enqueue(new Uint8Array([byte]))
      controller.close()
    },
  })
  await writeRaw(bytes, file.stream)
  expect(file.written.slice(1).join('')).toBe('ü')
})

it('pads the columns of a table by the texts that are seen', () => {
  const lines = table(
    ['ID', 'STATE'],
    [
      ['1', stateText('failed')],
      ['1000', 'odd'],
    ],
    'No job',
  )
  expect(printLines(lines, stream(false).stream)).toBe('ID    STATE\n1     failed\n1000  odd')
  expect(stripVTControlCharacters(printLines(lines, stream(true).stream))).toContain('1     failed')
  expect(printLines(table(['ID', 'STATE'], [], 'No job'), stream(false).stream)).toBe('No job')
})

it('leaves facts without a value out', () => {
  const lines = facts([
    ['id', '1'],
    ['error', undefined],
    ['counts', [styled('green', '+1'), ' ', styled('red', '−2')]],
  ])
  expect(printLines(lines, stream(false).stream)).toBe('id      1\ncounts  +1 −2')
})

it('colours a diff by its lines', () => {
  const shown = printLines(
    diffLines('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n same\n'),
    stream(true).stream,
  )
  const styles = ['bold', 'bold', 'cyan', 'red', 'green'] as const
  const lines = ['--- a/x', '+++ b/x', '@@ -1 +1 @@', '-old', '+new']
  const styledLines = styles.map((style, at) => styleText(style, lines[at] ?? '', { validateStream: false }))
  expect(shown.split('\n')).toEqual([...styledLines, ' same'])
})

it('rewrites one line on a terminal, with a bar, the rate and the time that is left', () => {
  const { stream: terminal, written } = stream(true)
  let time = 0
  const line = createProgressLine(terminal, () => time)
  line.show({ phase: 'Indexing pages', done: 0, total: 1500 })
  time = 2000
  line.show({ phase: 'Indexing pages', done: 500, total: 1500 })
  line.end()
  const seen = written.map((text) => stripVTControlCharacters(text).trim())
  expect(seen).toEqual([
    'Indexing pages ──────────────────────── 0 of 1,500',
    'Indexing pages ━━━━━━━━──────────────── 500 of 1,500 · 250/s · 4 s left',
    '',
  ])
  expect(written.every((text) => text.startsWith('\r\u001b[K') && !text.includes('\n'))).toBe(true)
})

it('shortens the line where the terminal is narrow', () => {
  const { stream: terminal, written } = stream(true, 30)
  createProgressLine(terminal).show({ phase: 'Indexing pages', done: 5, total: 1500 })
  expect(stripVTControlCharacters(written[0] ?? '').trim()).toBe('Indexing pages 5 of 1,500')
})

it('writes one line for each phase where there is no terminal', () => {
  const { stream: file, written } = stream(false)
  const line = createProgressLine(file)
  line.show({ phase: 'receiving objects', done: 1, total: null })
  line.show({ phase: 'receiving objects', done: 9, total: null })
  line.show({ phase: 'Indexing pages', done: 1, total: 2 })
  line.end()
  expect(written).toEqual(['Receiving objects\n', 'Indexing pages\n'])
})
