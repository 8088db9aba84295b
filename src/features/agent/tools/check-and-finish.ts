import { ignorePath, readIgnored } from '../../../site/checks/whole/ignored-problems.ts'
import { z } from 'zod'
import { checkTree, createSelection } from '../../../site/checks/check-tree.ts'
import type { Problem } from '../../../site/checks/problem.ts'
import type { SiteView } from '../../../site/checks/site-view.ts'
import type { Paths } from './calls/paths.ts'
import type { ViolationColumn } from '../../../store/columns.ts'
import { describeViolation, isHeld } from '../workspace/toolbox.ts'
import { type AgentTool, defineTool } from './calls/tool.ts'

/** Checks that compare the site with its base. */
export interface NewChecks {
  /** Problems of the changed texts and pages. */
  ofChange: () => Promise<Problem[]>
  /** All problems that the base does not have, and warnings of linters: what is checked when the turn finishes. */
  onlyNew: () => Promise<Problem[]>
  /** What the policy says of the changes: the very list by which `finish` refuses, and what a person has to look at. */
  policy?: () => Promise<readonly ViolationColumn[]>
}

const maxShown = 200

export function checkTool(view: SiteView, checks: NewChecks, folders: Paths): AgentTool {
  return defineTool({
    name: 'check',
    description: 'Checks pages. onlyNew: what you have to fix before finish; `refused` is left out.',
    input: z.object({ paths: z.array(z.string()).max(500).optional(), onlyNew: z.boolean().optional() }),
    run: async ({ paths: given, onlyNew }) => {
      const paths = given && (await Promise.all(given.map(folders.folder)))
      const isWanted = createSelection(paths)
      const judged = ((await checks.policy?.()) ?? []).filter(({ path }) => path === '' || isWanted(path))
      const policy = shownPolicy(judged)
      if (onlyNew === true)
        return { ...shown((await checks.onlyNew()).filter(({ path }) => isWanted(path))), ...policy }
      const { problems: all, ...looked } = await checkTree(view, paths)
      // A job cannot ignore its own problems.
      const { ignores } = readIgnored(await (view.base ?? view).text(ignorePath))
      const problems = all.filter(({ check, path, message }) => !ignores({ kind: check, path, message }))
      const changed = await checks.ofChange()
      const errors = changed.filter(({ severity, path }) => severity === undefined && isWanted(path))
      return { ...shown([...problems, ...errors]), ...looked, ...policy }
    },
  })
}

/** Refused: `finish` will not publish it. To look at: published, as a draft. */
function shownPolicy(judged: readonly ViolationColumn[]): Record<string, string[]> {
  const refused = judged.filter(isHeld).map(describeViolation)
  const toLookAt = judged.filter((one) => !isHeld(one)).map(describeViolation)
  return {
    ...(refused.length > 0 && { refused: refused.slice(0, maxShown) }),
    ...(toLookAt.length > 0 && { toLookAt: toLookAt.slice(0, maxShown) }),
  }
}

function shown(problems: readonly Problem[]): { problems: readonly Problem[]; total: number } {
  return { problems: problems.slice(0, maxShown), total: problems.length }
}

/** How a model names what it was shown. */
export const sourceForms = '`file:line`, `commit ID` or `prompt`'

export function finishTool(): AgentTool {
  return defineTool({
    name: 'finish',
    description:
      'Ends the work. In a follow-up, description: the whole pull request, rewritten. pages: why, and sources. noChange: nothing to publish; notUnderstood: the request makes no sense.',
    input: z.object({
      title: z.string().min(1).max(300),
      summary: z.string().min(1).max(20_000),
      description: z.string().max(20_000).optional(),
      pages: z
        .array(
          z.object({
            path: z.string().min(1).max(1000),
            reason: z.string().max(2000).optional(),
            sources: z.array(z.string().min(1).max(500)).max(20).optional(),
          }),
        )
        .max(1000)
        .optional(),
      noChange: z.boolean().optional(),
      notUnderstood: z.boolean().optional(),
    }),
    run: async () => ({ ok: true }),
  })
}
