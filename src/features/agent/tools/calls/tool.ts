import type { z } from 'zod'
import { AppError, messageOf } from '../../../../lib/errors.ts'
import { ToolError } from '../../../../lib/tool-error.ts'
import { objectionTo, readInput } from './read-input.ts'

/** A tool that the loop offers to a model and calls. */
export interface AgentTool {
  name: string
  description: string
  inputSchema: z.ZodObject
  /** Whether it can change a file: a turn is not done while such a call has failed and nothing has changed. */
  changesFiles: boolean
  /**
   * Bad input and failures are returned as `{error: {code, message, …}}`. Throws only when the server itself cannot
   * continue.
   */
  execute(input: unknown, signal?: AbortSignal): Promise<Record<string, unknown>>
}

export function defineTool<Shape extends z.ZodRawShape>(definition: {
  name: string
  description: string
  changesFiles?: true
  input: z.ZodObject<Shape>
  run: (input: z.infer<z.ZodObject<Shape>>, signal: AbortSignal) => Promise<Record<string, unknown>>
}): AgentTool {
  const { name, description, changesFiles = false, input, run } = definition
  return {
    name,
    description,
    inputSchema: input,
    changesFiles,
    execute: async (given, signal = new AbortController().signal) => {
      const meant = readInput(input, given)
      const parsed = input.safeParse(meant)
      if (!parsed.success) return new ToolError('invalid_input', objectionTo(parsed.error, meant)).toOutput()
      try {
        return await run(parsed.data, signal)
      } catch (error) {
        return toOutput(error)
      }
    },
  }
}

// The model can correct its own errors, but not an outage or a cancelled job.
function toOutput(error: unknown): Record<string, unknown> {
  if (error instanceof ToolError) return error.toOutput()
  if (error instanceof AppError && ['invalid', 'not_found', 'too_large', 'conflict'].includes(error.code)) {
    return new ToolError(error.code, messageOf(error)).toOutput()
  }
  throw error
}
