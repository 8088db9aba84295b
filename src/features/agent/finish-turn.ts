import { z } from 'zod'
import type { TurnEnd } from './steps.ts'
import type { TurnTools } from './turn-run.ts'

const finishInput = z.object({
  title: z.string().max(1000),
  summary: z.string().min(1).max(100_000),
  noChange: z.boolean().optional(),
  pages: z
    .array(
      z.object({
        path: z.string().max(1000),
        reason: z.string().max(5000),
        sources: z.array(z.string().max(1000)).max(50).optional(),
      }),
    )
    .max(2000)
    .optional(),
})

const shown = 50

/**
 * What a call of `finish` leads to. Once per turn the model is sent back when the result is not fit to publish: new
 * problems, something that the policy forbids, or a "no change" beside changes.
 */
export async function finishTurn(
  { workspace, toolbox }: TurnTools,
  input: unknown,
  { sentBackBefore, signal }: { sentBackBefore: boolean; signal: AbortSignal },
): Promise<{ output: unknown; end?: TurnEnd; sentBack?: boolean }> {
  const parsed = finishInput.safeParse(input)
  if (!parsed.success) {
    const message = 'finish takes a title, a summary and, where nothing was changed, noChange: true'
    return { output: { error: { code: 'invalid_input', message } } }
  }
  const { title, summary, noChange = false } = parsed.data
  const pages = (parsed.data.pages ?? []).map((page) => ({ ...page, sources: page.sources ?? [] }))
  const changed = workspace.changes().map((change) => change.path)
  const end = { title, summary, noChange, pages }
  if (changed.length === 0 || sentBackBefore) return { output: { ok: true }, end }
  if (noChange) {
    const message =
      'You called finish with noChange but have changed files: undo them, or finish without noChange'
    return { output: { ok: false, message, changed: changed.slice(0, shown) }, sentBack: true }
  }
  const violations = await toolbox.violations(signal)
  const problems = violations.length > 0 ? [] : await toolbox.newProblems(signal)
  if (violations.length === 0 && problems.length === 0) return { output: { ok: true }, end }
  const message = 'Your changes are not fit to publish yet: mend what is listed, then call finish again'
  return {
    output: {
      ok: false,
      message,
      violations: violations.slice(0, shown),
      problems: problems.slice(0, shown),
    },
    sentBack: true,
  }
}
