import type { Command } from 'commander'
import { AppError } from '../../lib/errors.ts'
import { askUntil } from '../../cli/ask-until.ts'
import { resolveProject, type CommandContext } from '../../cli/command-context.ts'
import type { Answer } from '../../cli/read-answer.ts'
import { styled, type Text } from '../../cli/terminal-text.ts'
import { counted } from '../../lib/text/counted.ts'
import { ask, verbOptions } from '../../verbs/terminal.ts'
import { listProblems } from './verbs.ts'

type SiteProblems = Answer<(typeof listProblems)['output']>

/** `project problems`: what is wrong with a whole site. */
export function addProblemCommands(project: Command, open: (command: Command) => CommandContext): void {
  const problems = project
    .command('problems <domain>')
    .description('List site problems: broken links, pages missing from navigation, missing titles, and more')
  const filterOf = verbOptions(problems, listProblems)
  problems.action(async (name: string, _options: unknown, command: Command) => {
    const context = open(command)
    const { domain } = await resolveProject(context, name)
    const filter = filterOf()
    const { found, error } = await waitForCheck(context, () =>
      ask(context, listProblems, { ...filter, domain, limit: 3000 }),
    )
    if (!found) throw new AppError('unavailable', error ?? 'The site could not be checked')
    context.print(found, () => describe(found))
  })
}

async function waitForCheck(
  context: CommandContext,
  look: () => Promise<SiteProblems>,
): Promise<SiteProblems> {
  const line = context.progress()
  try {
    return await askUntil(500, async () => {
      const check = await look()
      if (check.state === 'ready') return check
      if (check.state === 'failed') return { ...check, found: null }
      if (check.progress) line.show(check.progress)
      return undefined
    })
  } finally {
    line.end()
  }
}

function describe({
  pages,
  checkedLinks,
  problems,
  counts,
  ignored,
}: NonNullable<SiteProblems['found']>): (string | Text[])[] {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const left = [
    ...ignored.wrong.map(({ line, message }) => `.docwright/ignore.yml:${line}  ${message}`),
    ...(ignored.count === 0 ? [] : [`Ignored: ${counted(ignored.count, 'problem')} (.docwright/ignore.yml)`]),
  ]
  if (total === 0) return [`No problems found in ${pages} pages and ${checkedLinks} links`, ...left]
  const kinds = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`)
  return [
    ...problems.map(({ path, line, message, warning, hint }) => [
      styled('cyan', `${path}:${line}`),
      `  ${warning ? '(possibly intentional) ' : ''}${message}${hint === null ? '' : `. ${hint}`}`,
    ]),
    `${counted(total, 'problem')} in ${pages} pages: ${kinds.join(', ')}`,
    ...left,
  ]
}
