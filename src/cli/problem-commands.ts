import type { Command } from 'commander'
import { AppError } from '../lib/errors.ts'
import { siteProblems } from '../nouns/problems/answers.ts'
import { askUntil } from './ask-until.ts'
import { resolveProject, type CommandContext } from './command-context.ts'
import type { Answer } from './read-answer.ts'
import { styled, type Text } from './terminal-text.ts'
import { counted } from '../lib/text/counted.ts'

type SiteProblems = Answer<typeof siteProblems>

/** `project problems`: what is wrong with a whole site. */
export function addProblemCommands(project: Command, open: (command: Command) => CommandContext): void {
  project
    .command('problems <domain>')
    .description('List site problems: broken links, pages missing from navigation, missing titles, and more')
    .option('--kind <kind>', 'only problems of this kind, such as link, anchor, image or description')
    .option('--path <path>', 'only files whose path begins like this')
    .action(async (name: string, options: { kind?: string; path?: string }, command: Command) => {
      const context = open(command)
      const { domain } = await resolveProject(context, name)
      const { kind, path } = options
      const query = new URLSearchParams({ ...(kind && { kind }), ...(path && { path }), limit: '3000' })
      const { found, error } = await waitForCheck(
        context,
        `/admin/projects/${domain}/problems?${query.toString()}`,
      )
      if (!found) throw new AppError('unavailable', error ?? 'The site could not be checked')
      context.print(found, () => describe(found))
    })
}

async function waitForCheck(context: CommandContext, path: string): Promise<SiteProblems> {
  const line = context.progress()
  try {
    return await askUntil(500, async () => {
      const check = await context.read(siteProblems, 'GET', path)
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
}: NonNullable<SiteProblems['found']>): (string | Text[])[] {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (total === 0) return [`No problems found in ${pages} pages and ${checkedLinks} links`]
  const kinds = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`)
  return [
    ...problems.map(({ path, line, message, warning, hint }) => [
      styled('cyan', `${path}:${line}`),
      `  ${warning ? '(possibly intentional) ' : ''}${message}${hint === null ? '' : `. ${hint}`}`,
    ]),
    `${counted(total, 'problem')} in ${pages} pages: ${kinds.join(', ')}`,
  ]
}
