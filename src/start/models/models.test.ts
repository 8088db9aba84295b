import { LLMock } from '@copilotkit/aimock'
import { generateText, isStepCount, jsonSchema, streamText, type ModelMessage, type ToolSet } from 'ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { modelsAt, piecesOf } from '../../../tests/worlds/models.ts'

const names = [
  'anthropic:claude-sonnet-4-5',
  'openai:gpt-5.5',
  'openai-chat:gpt-4.1',
  'google:gemini-2.5-flash',
  'compatible:Qwen/Qwen3-32B',
  'openrouter:anthropic/claude-sonnet-4.5',
  'ollama:qwen3:8b',
]
const tools: ToolSet = {
  read: {
    description: 'Reads a page',
    inputSchema: jsonSchema({
      type: 'object',
      properties: { page: { type: 'string' } },
      required: ['page'],
      additionalProperties: false,
    }),
  },
}
const provider = new LLMock({ port: 0, latency: 0 })

beforeAll(async () => {
  await provider.start()
  provider.on(
    { userMessage: 'port', hasToolResult: false },
    {
      toolCalls: [{ id: 'call_1', name: 'read', arguments: '{"page":"setup"}' }],
    },
  )
  provider.on({ userMessage: 'port', hasToolResult: true }, { content: 'It is port 4000.' })
  provider.on(
    { userMessage: 'slow' },
    { content: 'At last, an answer.' },
    { streamingProfile: { ttft: 700, tps: 200 } },
  )
})
afterAll(() => provider.stop())

describe.each(names)('%s', (name) => {
  const model = () => modelsAt(provider.url).find(name)

  it('calls a tool, then answers from a journal that was stored in between', async () => {
    const asked: ModelMessage[] = [{ role: 'user', content: 'Which port does it use?' }]
    const first = await generateText({
      model: model(),
      instructions: 'You help.',
      messages: asked,
      tools,
      stopWhen: isStepCount(1),
    })
    expect(first.toolCalls).toMatchObject([{ toolName: 'read', input: { page: 'setup' } }])
    const [call] = first.toolCalls
    const stored = JSON.parse(JSON.stringify(first.response.messages)) as ModelMessage[]
    const second = await generateText({
      model: model(),
      instructions: 'You help.',
      tools,
      messages: [
        ...asked,
        ...stored,
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: call?.toolCallId ?? '',
              toolName: 'read',
              output: { type: 'text', value: 'PORT is 4000' },
            },
          ],
        },
      ],
    })
    expect(second.text).toBe('It is port 4000.')
  })

  it('streams an answer whose first token comes late', async () => {
    const result = streamText({ model: model(), prompt: 'a slow one', maxRetries: 0 })
    const pieces = await piecesOf(result.textStream)
    expect(pieces.join('')).toBe('At last, an answer.')
  })
})
