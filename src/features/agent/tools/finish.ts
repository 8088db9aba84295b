import { z } from 'zod'
import { type AgentTool, defineTool } from './tool.ts'

export function finishTool(): AgentTool {
  return defineTool({
    name: 'finish',
    description:
      'Ends the work. `title` names the pull request; `summary` (Markdown) says what changed on each page and why. With `noChange` ' +
      'nothing is published and the summary is the reason.',
    input: z.object({
      title: z.string().min(1).max(300),
      summary: z.string().min(1).max(20_000),
      noChange: z.boolean().optional(),
    }),
    run: async () => ({ ok: true }),
  })
}
