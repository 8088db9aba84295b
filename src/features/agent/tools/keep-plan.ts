import { z } from 'zod'
import { type AgentTool, defineTool } from './calls/tool.ts'

/** The plan itself is in the call: `conversation` shows it again when the call has been left out. */
export function planTool(): AgentTool {
  return defineTool({
    name: 'plan',
    description: 'Notes your plan: done and left. It stays in view.',
    input: z.object({ plan: z.string().min(1).max(10_000) }),
    run: async () => ({ noted: true }),
  })
}
