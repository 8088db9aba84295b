import { z } from 'zod'
import { type AgentTool, defineTool } from './calls/tool.ts'

/** The plan itself is in the call: `conversation` shows it again when the call has been left out. */
export function planTool(): AgentTool {
  return defineTool({
    name: 'plan',
    description:
      'Writes down your plan for a longer piece of work, or a new state of it, with what is done and what is left. It replaces the one ' +
      'before and stays in view when older steps are left out.',
    input: z.object({ plan: z.string().min(1).max(10_000) }),
    run: async () => ({ noted: true }),
  })
}
