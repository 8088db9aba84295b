import { expect, it, onTestFinished, vi } from 'vitest'
import { applyFrame, type Exchange } from './exchange.ts'
import { readFrames, type Frame } from './frames.ts'
import { createHistory } from './history.ts'

function exchange(): Exchange {
  return { id: 'q', question: 'Why?', files: [], state: 'waiting', text: '', sources: [], suggestions: [] }
}

it('makes an answer of the frames of a stream', () => {
  const made = exchange()
  const frames: Frame[] = [
    { type: 'start', messageId: 'msg_1' },
    { type: 'tool-input-available', toolName: 'search', input: { query: 'why' } },
    { type: 'source-url', url: 'https://docs.test/a#b', title: 'Page › Part' },
    { type: 'source-url', url: 'https://docs.test/a#b', title: 'Page › Part' },
    { type: 'text-start', id: '0' },
    { type: 'text-delta', id: '0', delta: 'Be' },
    { type: 'text-delta', id: '0', delta: 'cause.' },
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'And so on.' },
    { type: 'never-heard-of' },
    { type: 'data-suggestions', data: ['How?', 'When?'] },
    {
      type: 'finish',
      messageMetadata: { outcome: 'answered', contact: { name: 'Us', url: 'https://us.test' } },
    },
  ]
  for (const frame of frames) applyFrame(made, frame)
  expect(made).toMatchObject({
    answerId: 'msg_1',
    state: 'done',
    text: 'Because.\n\nAnd so on.',
    sources: [{ url: 'https://docs.test/a#b', title: 'Page', heading: 'Part' }],
    suggestions: ['How?', 'When?'],
    outcome: 'answered',
    contact: { name: 'Us', url: 'https://us.test' },
  })
})

it('knows why there is no text yet, until there is some', () => {
  const made = exchange()
  applyFrame(made, { type: 'data-status', data: { state: 'waiting', ahead: 3 } })
  expect(made.status).toEqual({ state: 'waiting', ahead: 3 })
  applyFrame(made, { type: 'data-status', data: { state: 'reading' } })
  expect(made.status).toEqual({ state: 'reading' })
  applyFrame(made, { type: 'text-delta', id: '0', delta: 'So.' })
  expect(made.status).toBeUndefined()
})

it('reads frames however the network splits them, and notices a stream that breaks off', async () => {
  const bytes = new TextEncoder().encode(
    'data: {"type":"text-delta","delta":"ü"}\n\ndata: nonsense\n\ndata: [DONE]\n\n',
  )
  const read = async (end: number): Promise<Frame[]> => {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes.subarray(0, end)) controller.enqueue(new Uint8Array([byte]))
        controller.close()
      },
    })
    const frames: Frame[] = []
    for await (const frame of readFrames(stream)) frames.push(frame)
    return frames
  }
  expect(await read(bytes.length)).toEqual([{ type: 'text-delta', delta: 'ü' }])
  await expect(read(bytes.length - 4)).rejects.toThrow(/broke off/)
})

it('begins anew where something else has written into the storage of the tab', () => {
  let stored = ''
  vi.stubGlobal('sessionStorage', { getItem: () => stored })
  vi.stubGlobal('addEventListener', () => undefined)
  onTestFinished(() => void vi.unstubAllGlobals())
  const read = (exchanges: unknown) => {
    stored = JSON.stringify({ chatId: 'chat', exchanges })
    return createHistory('name').read()
  }
  expect(read([exchange()])).toMatchObject({ chatId: 'chat', exchanges: [exchange()] })
  for (const broken of [
    null,
    [null],
    [{ ...exchange(), files: null }],
    [{ ...exchange(), text: {} }],
    [{ ...exchange(), sources: [null] }],
  ])
    expect(read(broken).exchanges).toEqual([])
  stored = '{'
  expect(createHistory('name').read().exchanges).toEqual([])
})

it('gives a conversation of a session to no later session in the same tab', () => {
  const stored = new Map<string, string>()
  const leave: (() => void)[] = []
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
    removeItem: (name: string) => stored.delete(name),
  })
  vi.stubGlobal('addEventListener', (_name: string, listener: () => void) => leave.push(listener))
  onTestFinished(() => void vi.unstubAllGlobals())
  const keep = (session?: string) => {
    stored.clear()
    const history = createHistory('name', session)
    history.setOpen(true)
    history.write({ chatId: 'chat', threadId: undefined, exchanges: [exchange()] })
    for (const save of leave) save()
    expect(stored.get('name')).not.toContain('a secret token')
  }
  const read = (session?: string) => createHistory('name', session).read().exchanges.length
  keep('a secret token')
  expect(read('a secret token')).toBe(1)
  expect(read('another token')).toBe(0)
  expect([...stored]).toEqual([])
  keep('a secret token')
  expect(read()).toBe(0)
  // What a reader asked before signing in stays.
  keep()
  expect([read(), read('a secret token')]).toEqual([1, 1])
})
