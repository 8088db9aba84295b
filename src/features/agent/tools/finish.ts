import { z } from 'zod'
import { type AgentTool, defineTool } from './tool.ts'

export function finishTool(): AgentTool {
  return defineTool({
    name: 'finish',
    description:
      'Ends the work. `title` names the pull request; `summary` (Markdown) says what changed on each page and why; `pages` gives for each page ' +
      'the reason and the sources that its text rests on: `file:line` of this or another repository, or `prompt`. With `noChange` ' +
      'nothing is published and the summary is the reason.',
    input: z.object({
      title: z.string().min(1).max(300),
      summary: z.string().min(1).max(20_000),
      pages: z
        .array(
          z.object({
            path: z.string().min(1).max(1000),
            reason: z.string().min(1).max(2000),
            sources: z.array(z.string().min(1).max(500)).max(20).optional(),
          }),
        )
        .max(1000)
        .optional(),
      noChange: z.boolean().optional(),
    }),
    run: async () => ({ ok: true }),
  })
}
