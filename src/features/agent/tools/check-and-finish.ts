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
    description:
      'Checks links, anchors, images, front matter and navigation of pages as they are now, older problems included, and of what you ' +
      'changed also whether pages compile, imports and snippets, code blocks, redirects, data files and terms. A problem with exactly one ' +
      'suggestion can be fixed with it. `notLookedAt` counts the links that could not be tried. `onlyNew` leaves out what was there before and adds warnings: what is left has to be fixed ' +
      'before you finish, except for the warnings. `refused` will not be published.',
    input: z.object({ paths: z.array(z.string()).max(500).optional(), onlyNew: z.boolean().optional() }),
    run: async ({ paths: given, onlyNew }) => {
      const paths = given && (await Promise.all(given.map(folders.folder)))
      const isWanted = createSelection(paths)
      const judged = ((await checks.policy?.()) ?? []).filter(({ path }) => path === '' || isWanted(path))
      const policy = shownPolicy(judged)
      if (onlyNew === true)
        return { ...shown((await checks.onlyNew()).filter(({ path }) => isWanted(path))), ...policy }
      const { problems, ...looked } = await checkTree(view, paths)
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

export function finishTool(): AgentTool {
  return defineTool({
    name: 'finish',
    description:
      'Ends the work. `title` names the pull request; `summary` (Markdown) says what changed on each page and why; in a follow-up `description` ' +
      'says the same anew of the whole pull request. `pages` gives for each page the reason and the sources that its text rests on, as you were shown ' +
      'them: `file:line` of this or another repository, `commit ID`, or `prompt`. What you were not shown is sent back. With `noChange` ' +
      'nothing is published and the summary is the reason; add `notUnderstood` where the request itself makes no sense to you.',
    input: z.object({
      title: z.string().min(1).max(300),
      summary: z.string().min(1).max(20_000),
      description: z.string().max(20_000).optional(),
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
      notUnderstood: z.boolean().optional(),
    }),
    run: async () => ({ ok: true }),
  })
}
