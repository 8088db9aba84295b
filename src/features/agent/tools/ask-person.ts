import { z } from 'zod'
import { type AgentTool, defineTool } from './calls/tool.ts'

/** The loop ends the turn with the question. */
export function askPersonTool(): AgentTool {
  return defineTool({
    name: 'ask_person',
    description: 'Ends with a question: only where neither request nor repository tells.',
    input: z.object({ question: z.string().min(1).max(10_000) }),
    run: async () => ({ ok: true }),
  })
}
