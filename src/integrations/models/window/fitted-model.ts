import type { LanguageModelV4CallOptions, LanguageModelV4Usage } from '@ai-sdk/provider'
import { mapStream } from '../../../lib/map-stream.ts'
import type { Model, ModelWindow } from '../model.ts'
import { ModelTrouble } from '../trouble.ts'
import type { Cuts } from './cuts.ts'
import { tokensOf } from './tokens.ts'

/** What a model's calls ask of its window, and tell about it. */
export interface Fit {
  name: string
  read(): Promise<ModelWindow>
  /** Undefined: a call was refused that should have fitted. */
  learn(tokens: number | undefined): void
  /**
   * A server read only so many tokens of a longer conversation, and said nothing. Returns whether that is news;
   * otherwise as much was left out as could be, and the answer has to do.
   */
  cut(read: number, sent: number): boolean
  /** Undefined for servers that refuse instead. */
  cuts: Cuts | undefined
}

/**
 * A model whose answers may be as long as its window leaves room for: some servers refuse a call whose conversation and
 * limit are together more than that. What refusals say is remembered, and a conversation whose beginning was left out
 * without a word is trouble of the kind `context`, so that it is shortened. A stream has been read by then, and is only noted.
 */
export function fittedModel(model: Model, fit: Fit): Model {
  const learnFrom = (error: unknown): void => {
    if (error instanceof ModelTrouble && error.kind === 'context') fit.learn(windowToldIn(error))
  }
  const judge = (bytes: number, usage: LanguageModelV4Usage): number | undefined => {
    const read = usage.inputTokens.total
    return fit.cuts?.isCut(bytes, read) && fit.cut(read, tokensOf(bytes)) ? read : undefined
  }
  return {
    ...model,
    async doGenerate(options) {
      const bytes = bytesOf(options)
      const fitted = withRoom(options, bytes, await fit.read())
      try {
        const result = await model.doGenerate(fitted)
        const read = judge(bytes, result.usage)
        if (read !== undefined) throw new ModelTrouble('context', cutText(fit.name, read))
        return result
      } catch (error) {
        learnFrom(error)
        throw error
      }
    },
    async doStream(options) {
      const bytes = bytesOf(options)
      const fitted = withRoom(options, bytes, await fit.read())
      try {
        const { stream, ...rest } = await model.doStream(fitted)
        const noted = mapStream(
          stream,
          (part) => {
            if (part.type === 'error') learnFrom(part.error)
            if (part.type === 'finish') judge(bytes, part.usage)
            return part
          },
          () => undefined,
        )
        return { ...rest, stream: noted }
      } catch (error) {
        learnFrom(error)
        throw error
      }
    },
  }
}

/** The shortest answer that is worth a call. A server that refuses it tells what it has. */
const leastOutput = 256

function withRoom(
  options: LanguageModelV4CallOptions,
  bytes: number,
  { tokens }: ModelWindow,
): LanguageModelV4CallOptions {
  const { maxOutputTokens } = options
  if (tokens === undefined || maxOutputTokens === undefined) return options
  const left = Math.max(leastOutput, tokens - tokensOf(bytes))
  return left < maxOutputTokens ? { ...options, maxOutputTokens: left } : options
}

function bytesOf({ prompt, tools }: LanguageModelV4CallOptions): number {
  // An image costs far less than its bytes as text.
  const isFile = (key: string): boolean => key === 'data' || key === 'providerOptions'
  return Buffer.byteLength(
    JSON.stringify([prompt, tools], (key, value: unknown) => (isFile(key) ? '' : value)),
  )
}

function cutText(name: string, read: number): string {
  return `${name} read only the last ${read} tokens of a longer conversation. Give it a larger context window, or ask for less`
}

/** vLLM, llama.cpp and gateways say the window in their refusals. */
function windowToldIn(error: ModelTrouble): number | undefined {
  const words = error.cause instanceof Error ? error.cause.message : ''
  const plain = words.replaceAll(/(?<=\d),(?=\d{3})/g, '')
  // A number before these words may be what was asked for.
  const [, tokenText] =
    /context (?:length|size|window)[^\d]{0,20}(\d{3,8})/i.exec(plain) ??
    /(\d{3,8})[^\d]{0,20}context (?:length|size|window)/i.exec(plain) ??
    []
  const tokens = Number(tokenText)
  return tokens >= 256 ? tokens : undefined
}
