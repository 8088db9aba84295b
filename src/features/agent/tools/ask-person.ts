import { z } from 'zod'
import { choicesInput } from '../choices.ts'
import { type AgentTool, defineTool } from './calls/tool.ts'

/** The loop ends the turn with the question. */
export function askPersonTool(): AgentTool {
  return defineTool({
    name: 'ask_person',
    description: 'Asks what only the person knows. choices: "answer: meaning", best first',
    input: z.object({ question: z.string().min(1).max(10_000), choices: choicesInput.optional() }),
    run: async () => ({ ok: true }),
  })
}
