import { z } from 'zod'
import { endingSignal } from '../../lib/ending-signal.ts'
import { AppError } from '../../lib/errors.ts'
import type { ProviderName } from './providers.ts'

/** Milliseconds. */
const patience = 5000
const mostBytes = 8 * 1024 * 1024
const mostModels = 400

const openList = z.object({ data: z.array(z.object({ id: z.string() })) })
const googleList = z.object({ models: z.array(z.object({ name: z.string() })) })

/** Models that write no text, which providers list among the others. */
const otherWork =
  /embed|tts|whisper|audio|image|dall-e|moderation|realtime|transcribe|sora|davinci|babbage|aqa|imagen|veo|rerank/i

/**
 * The ids of the models that a provider offers to this key, by its own list.
 * @param url the whole address of its interface
 * @throws AppError `unavailable`
 */
export async function listModels(
  provider: ProviderName,
  { key, url }: { key: string | undefined; url: string },
  fetcher: typeof fetch = fetch,
): Promise<string[]> {
  const query = provider === 'anthropic' ? '?limit=1000' : provider === 'google' ? '?pageSize=1000' : ''
  using waiting = endingSignal({ milliseconds: patience })
  const response = await fetcher(`${url}/models${query}`, {
    headers: headersOf(provider, key),
    signal: waiting.signal,
  }).catch((cause: unknown) => {
    throw new AppError('unavailable', `${provider} can’t be reached for its models`, { cause })
  })
  if (!response.ok) {
    await response.body?.cancel().catch(() => undefined)
    throw new AppError(
      'unavailable',
      `${provider} answered ${response.status} when it was asked for its models`,
    )
  }
  const ids = idsOf(await readJson(response, provider))
  return ids.filter((id) => !otherWork.test(id)).slice(0, mostModels)
}

function headersOf(provider: ProviderName, key: string | undefined): Record<string, string> {
  if (key === undefined) return {}
  if (provider === 'anthropic') return { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
  return provider === 'google' ? { 'x-goog-api-key': key } : { Authorization: `Bearer ${key}` }
}

async function readJson(response: Response, provider: ProviderName): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > mostBytes) throw new Error('The list is too long')
      chunks.push(chunk)
    }
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch (cause) {
    throw new AppError('unavailable', `${provider} sent a list of models that cannot be read`, { cause })
  }
}

function idsOf(value: unknown): string[] {
  const open = openList.safeParse(value)
  if (open.success) return open.data.data.map(({ id }) => id)
  const google = googleList.safeParse(value)
  return google.success ? google.data.models.map(({ name }) => name.replace(/^models\//, '')) : []
}
