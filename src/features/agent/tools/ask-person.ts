import { z } from 'zod'
import { type AgentTool, defineTool } from './calls/tool.ts'

/** The loop ends the turn with the question. */
export function askPersonTool(): AgentTool {
  return defineTool({
    name: 'ask_person',
    description:
      'Ends the work with a question to the person, whose answer is the next message: only where the request can be meant in several ways ' +
      'and the repository does not tell which. What you changed so far is kept, and not published yet. Say what you found and which ' +
      'answers are possible.',
    input: z.object({ question: z.string().min(1).max(10_000) }),
    run: async () => ({ ok: true }),
  })
}
