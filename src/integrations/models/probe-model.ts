import { endingSignal } from '../../lib/ending-signal.ts'
import { AppError } from '../../lib/errors.ts'
import type { Model } from './model.ts'
import { describeTrouble } from './model-trouble.ts'

/**
 * Makes one tiny call with one trivial tool, because jobs and answers need tools.
 * @returns a sentence for people
 * @throws AppError `unavailable` that says what is wrong: the key, the name, the address, no network, no tools
 */
export async function probeModel(model: Model, name: string, signal?: AbortSignal): Promise<string> {
  using probing = endingSignal({ signals: [signal], milliseconds: 30_000 })
  const started = performance.now()
  try {
    const { content } = await model.doGenerate({
      prompt: [
        { role: 'system', content: 'You check a connection. Answer with a call of the tool, not with text.' },
        { role: 'user', content: [{ type: 'text', text: 'Call the tool "ready" with {"ok": true} now.' }] },
      ],
      tools: [
        {
          type: 'function',
          name: 'ready',
          description: 'Says that the connection works',
          inputSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
        },
      ],
      toolChoice: { type: 'auto' },
      // Some models think before they call.
      maxOutputTokens: 2000,
      abortSignal: probing.signal,
    })
    if (content.some((part) => part.type === 'tool-call' && part.toolName === 'ready'))
      return `${name}: answers and calls tools, ${((performance.now() - started) / 1000).toFixed(1)} s`
  } catch (error) {
    signal?.throwIfAborted()
    throw new AppError('unavailable', describeTrouble(error, name), { cause: error })
  }
  throw new AppError(
    'unavailable',
    `${name} answers, but in text where it should call a tool: choose a model that can call tools, or turn it on in its server`,
  )
}
