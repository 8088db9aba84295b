import type { z } from 'zod'
import { AppError, messageOf } from '../../../lib/errors.ts'
import { ToolError } from '../../../lib/tool-error.ts'

/** A tool that the loop offers to a model and calls. */
export interface AgentTool {
  name: string
  description: string
  inputSchema: z.ZodObject
  /**
   * Bad input and failures are returned as `{error: {code, message, …}}`. Throws only when the server itself cannot
   * continue.
   */
  execute(input: unknown, signal?: AbortSignal): Promise<Record<string, unknown>>
}

export function defineTool<Shape extends z.ZodRawShape>(definition: {
  name: string
  description: string
  input: z.ZodObject<Shape>
  run: (input: z.infer<z.ZodObject<Shape>>, signal: AbortSignal) => Promise<Record<string, unknown>>
}): AgentTool {
  const { name, description, input, run } = definition
  return {
    name,
    description,
    inputSchema: input,
    execute: async (given, signal = new AbortController().signal) => {
      const parsed = input.safeParse(given)
      if (!parsed.success) return invalidInput(parsed.error)
      try {
        return await run(parsed.data, signal)
      } catch (error) {
        return toOutput(error)
      }
    },
  }
}

function invalidInput(error: z.ZodError): Record<string, unknown> {
  const problems = error.issues.slice(0, 5).map((issue) => {
    const where = issue.path.join('.')
    return where === '' ? issue.message : `${where}: ${issue.message}`
  })
  return new ToolError('invalid_input', `The input does not fit: ${problems.join('; ')}`).toOutput()
}

// The model can correct its own errors, but not an outage or a cancelled job.
function toOutput(error: unknown): Record<string, unknown> {
  if (error instanceof ToolError) return error.toOutput()
  if (error instanceof AppError && ['invalid', 'not_found', 'too_large', 'conflict'].includes(error.code)) {
    return new ToolError(error.code, messageOf(error)).toOutput()
  }
  throw error
}
