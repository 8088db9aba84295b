import { LLMock, type ChatCompletionRequest, type FixtureResponse } from '@copilotkit/aimock'

/** One answer: text, or tools with their inputs. */
export type ModelAnswer = string | [tool: string, input: unknown][]

export interface ModelMock extends AsyncDisposable {
  /** What a server needs in its environment to call it. */
  environment: Record<string, string>
  /** How often each step of each prompt was asked for, as `prompt#step`. */
  asked: Map<string, number>
}

/**
 * A hosted model's API on a local port. The script is told the conversation's last prompt and how many answers of the
 * model came after it, so that it says the same again to a process that has taken the work over.
 * @param pace characters of a piece of an answer, and milliseconds between pieces
 */
export async function startModelMock(
  script: (asked: { prompt: string; step: number; request: ChatCompletionRequest }) => Promise<ModelAnswer>,
  pace: { chunkSize?: number; latency?: number } = {},
): Promise<ModelMock> {
  const asked = new Map<string, number>()
  const mock = new LLMock({ port: 0, logLevel: 'silent' })
  const answer = async (request: ChatCompletionRequest): Promise<FixtureResponse> => {
    const place = placeOf(request)
    const key = `${place.prompt}#${place.step}`
    asked.set(key, (asked.get(key) ?? 0) + 1)
    return toResponse(await script({ ...place, request }), place.step)
  }
  mock.on({}, answer, pace)
  await mock.start()
  return {
    environment: {
      DOCWRIGHT_MODEL: 'openai-chat:gpt-mock',
      OPENAI_API_KEY: 'sk-mock',
      OPENAI_BASE_URL: `${mock.url}/v1`,
    },
    asked,
    [Symbol.asyncDispose]: () => mock.stop(),
  }
}

function placeOf({ messages }: ChatCompletionRequest): { prompt: string; step: number } {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const content = messages[at]?.content
  const prompt =
    typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('')
  return { prompt, step: messages.slice(at).filter(({ role }) => role === 'assistant').length }
}

function toResponse(answer: ModelAnswer, step: number): FixtureResponse {
  if (typeof answer === 'string') return { content: answer }
  return {
    toolCalls: answer.map(([name, input], index) => ({
      id: `call_${step}_${index}`,
      name,
      arguments: typeof input === 'string' ? input : JSON.stringify(input),
    })),
  }
}
