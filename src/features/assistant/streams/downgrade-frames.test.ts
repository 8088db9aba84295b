import type { UIMessageChunk } from 'ai'
import { describe, expect, it } from 'vitest'
import { sdkVersions, type Sdk } from '../../../../tests/ai-sdk-versions.ts'
import { downgradeFrame } from './downgrade-frames.ts'

const metadata = { providerMetadata: { vendor: { id: '1' } } }
const call = { toolCallId: 'c', toolName: 'search', title: 'Search', dynamic: true, ...metadata }
// Everything that the SDK in use may write.
const chunks: UIMessageChunk[] = [
  { type: 'start', messageId: 'm', messageMetadata: { threadId: 't' } },
  { type: 'start-step' },
  { type: 'reasoning-start', id: 'r', ...metadata },
  { type: 'reasoning-delta', id: 'r', delta: 'hm', ...metadata },
  { type: 'reasoning-end', id: 'r', ...metadata },
  { type: 'tool-input-start', ...call },
  { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{}' },
  { type: 'tool-input-available', ...call, input: {} },
  { type: 'tool-output-available', ...call, output: { results: [] }, preliminary: true },
  { type: 'tool-input-start', toolCallId: 'd', toolName: 'search' },
  { type: 'tool-input-error', ...call, toolCallId: 'd', input: 'x', errorText: 'malformed' },
  { type: 'tool-input-available', toolCallId: 'e', toolName: 'search', input: {} },
  { type: 'tool-output-error', ...call, toolCallId: 'e', errorText: 'failed' },
  { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c' },
  { type: 'tool-output-denied', toolCallId: 'c' },
  { type: 'custom', kind: 'vendor.thing' },
  { type: 'source-url', sourceId: 's', url: 'https://docs.example.com', title: 'Docs', ...metadata },
  { type: 'source-document', sourceId: 's', mediaType: 'text/plain', title: 'x' },
  { type: 'file', url: 'data:,x', mediaType: 'text/plain' },
  { type: 'reasoning-file', url: 'data:,x', mediaType: 'text/plain' },
  { type: 'text-start', id: 't', ...metadata },
  { type: 'text-delta', id: 't', delta: 'hi', ...metadata },
  { type: 'text-end', id: 't', ...metadata },
  { type: 'data-suggestions', id: 'x', data: ['?'], transient: false },
  { type: 'message-metadata', messageMetadata: { threadId: 't' } },
  { type: 'finish-step' },
  { type: 'reset-step' },
  { type: 'abort', reason: 'timeout' },
  { type: 'finish', finishReason: 'stop', messageMetadata: { threadId: 't' } },
  { type: 'error', errorText: 'x' },
]

describe('frames', () => {
  it.each(sdkVersions)('are all known to ai@%s', async (_, load) => {
    const frames = chunks.flatMap(downgradeFrame)
    expect(await readBy(await load(), frames)).toEqual(frames)
  })

  it('would not be known to the oldest client as the SDK writes them', async () => {
    const [oldest] = sdkVersions
    const sdk = await oldest?.[1]()
    for (const chunk of chunks.filter(
      ({ type }) => type === 'finish' || type === 'custom' || type === 'abort',
    ))
      await expect(sdk && readBy(sdk, [chunk])).rejects.toThrow(/validation/i)
  })

  it('show a malformed call as a call and its failure', () => {
    expect(downgradeFrame({ type: 'tool-input-error', ...call, input: 'x', errorText: 'malformed' })).toEqual(
      [
        { type: 'tool-input-available', toolCallId: 'c', toolName: 'search', input: 'x' },
        { type: 'tool-output-error', toolCallId: 'c', errorText: 'malformed' },
      ],
    )
  })
})

// The client's own check of every frame, as its transport does it.
async function readBy(sdk: Sdk, frames: object[]): Promise<unknown[]> {
  const body = frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('')
  const fetch = (): Promise<Response> => Promise.resolve(new Response(body))
  const transport = new sdk.DefaultChatTransport({ api: 'https://docs.example.com', fetch })
  const stream = await transport.sendMessages({
    chatId: 'c',
    trigger: 'submit-message',
    messageId: undefined,
    messages: [],
    abortSignal: undefined,
  })
  const read: unknown[] = []
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return read
    read.push(value)
  }
}
