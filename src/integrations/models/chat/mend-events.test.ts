import { describe, expect, it } from 'vitest'
import { mendEvents } from './mend-events.ts'

const text = (content: string, more: object = {}): object => ({
  choices: [{ index: 0, delta: { content, ...more } }],
})

describe('events of a streamed answer', () => {
  const mended = async (...chunks: object[][]): Promise<unknown[]> => {
    const encoder = new TextEncoder()
    const events = ReadableStream.from(
      chunks.map((pieces) =>
        encoder.encode(pieces.map((piece) => `data: ${JSON.stringify(piece)}\n\n`).join('')),
      ),
    )
    const output = await new Response(mendEvents(events)).text()
    return output
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line.slice('data: '.length))]))
  }

  it('join words that arrive together, and only these', async () => {
    const role = { role: 'assistant' }
    expect(await mended([text('One', role), text(' two', role), text(' three')], [text(' four')])).toEqual([
      text('One two three', role),
      text(' four'),
    ])
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
    expect(await mended(pieces)).toEqual(pieces)
  })
})
