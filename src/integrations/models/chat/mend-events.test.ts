import { describe, expect, it } from 'vitest'
import { mendEvents } from './mend-events.ts'

const text = (content: string, more: object = {}): object => ({
  choices: [{ index: 0, delta: { content, ...more } }],
})

describe('events of a streamed answer', () => {
  const mended = async (isBusy: boolean, ...chunks: object[][]): Promise<unknown[]> => {
    const encoder = new TextEncoder()
    const events = ReadableStream.from(
      chunks.map((pieces) =>
        encoder.encode(pieces.map((piece) => `data: ${JSON.stringify(piece)}\n\n`).join('')),
      ),
    )
    const output = await new Response(mendEvents(events, { begins: 'unknown' }, () => isBusy)).text()
    return output
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line.slice('data: '.length))]))
  }

  it('join words that arrive together while the server is busy', async () => {
    const role = { role: 'assistant' }
    const chunks = [[text('One', role), text(' two', role), text(' three')], [text(' four')]]
    expect(await mended(true, ...chunks)).toEqual([text('One two three', role), text(' four')])
    expect(await mended(false, ...chunks)).toEqual(chunks.flat())
  })

  it('keep apart what is more than a word', async () => {
    const pieces = [
      text('One'),
      { choices: [{ index: 1, delta: { content: 'other' } }] },
      text(' two'),
      text('', { tool_calls: [{ index: 0, id: 'a', function: { name: 'search', arguments: '{}' } }] }),
      text('three'),
      { ...text(' four'), usage: { completion_tokens: 4 } },
      text(' five'),
      { choices: [{ index: 0, delta: { content: ' six' }, finish_reason: 'stop' }] },
      { choices: [], usage: { completion_tokens: 6 } },
    ]
    expect(await mended(true, pieces)).toEqual(pieces)
  })
})
