import type { ServerResponse } from 'node:http'
import { events, json } from './models.ts'

type Answer = (response: ServerResponse) => void

/** How one provider says the same: "Hello" for 1,000 tokens of which 600 were cached, and 5 of output. */
export interface Wire {
  name: string
  answer: Answer
  stream: Answer
}

const anthropicUsage = {
  input_tokens: 300,
  cache_read_input_tokens: 600,
  cache_creation_input_tokens: 100,
  output_tokens: 5,
}
const anthropicMessage = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [{ type: 'text', text: 'Hello' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: anthropicUsage,
}
const responsesUsage = {
  input_tokens: 1000,
  input_tokens_details: { cached_tokens: 600 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
}
const responsesMessage = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
}
const responsesEnvelope = { id: 'resp_1', object: 'response', created_at: 1, model: 'gpt' }
const chatUsage = {
  prompt_tokens: 1000,
  completion_tokens: 5,
  total_tokens: 1005,
  prompt_tokens_details: { cached_tokens: 600 },
}
const chatEnvelope = { id: 'chat_1', created: 1, model: 'some' }
const googleAnswer = {
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }],
  usageMetadata: {
    promptTokenCount: 1000,
    cachedContentTokenCount: 600,
    candidatesTokenCount: 5,
    totalTokenCount: 1005,
  },
}
const chatAnswer = json(200, {
  ...chatEnvelope,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: chatUsage,
})
const chunk = { ...chatEnvelope, object: 'chat.completion.chunk' }
const chatStream = events(
  { ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello' }, finish_reason: null }] },
  { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  { ...chunk, choices: [], usage: chatUsage },
  '[DONE]',
)

export const wires: Wire[] = [
  {
    name: 'anthropic:claude-sonnet-4-5',
    answer: json(200, anthropicMessage),
    stream: events(
      {
        type: 'message_start',
        message: {
          ...anthropicMessage,
          content: [],
          stop_reason: null,
          usage: { ...anthropicUsage, output_tokens: 1 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: 5 },
      },
      { type: 'message_stop' },
    ),
  },
  {
    name: 'openai:gpt-5.5',
    answer: json(200, {
      ...responsesEnvelope,
      status: 'completed',
      output: [responsesMessage],
      usage: responsesUsage,
      incomplete_details: null,
      error: null,
    }),
    stream: events(
      { type: 'response.created', response: { ...responsesEnvelope, service_tier: null } },
      { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'msg_1' } },
      {
        type: 'response.output_text.delta',
        item_id: 'msg_1',
        output_index: 0,
        content_index: 0,
        delta: 'Hello',
      },
      { type: 'response.output_item.done', output_index: 0, item: responsesMessage },
      {
        type: 'response.completed',
        response: {
          ...responsesEnvelope,
          incomplete_details: null,
          usage: responsesUsage,
          service_tier: null,
        },
      },
    ),
  },
  { name: 'openai-chat:gpt-4.1', answer: chatAnswer, stream: chatStream },
  {
    name: 'google:gemini-2.5-flash',
    answer: json(200, googleAnswer),
    stream: events(googleAnswer),
  },
  { name: 'compatible:some', answer: chatAnswer, stream: chatStream },
]
