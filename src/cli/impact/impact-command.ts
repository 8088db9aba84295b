import type { Command } from 'commander'
import { impactOfFolders, mapOfFolder } from '../../features/impact/impact-of-folders.ts'
import { pathFromUser, type CommandContext } from '../command-context.ts'
import { impactMarkdown } from '../../features/impact/impact-markdown.ts'
import { commentImpact, type OpenHosted } from './comment-impact.ts'
import { AppError } from '../../lib/errors.ts'
import { impactLines, mapLines } from './print-impact.ts'

interface Options {
  folder: string
  code?: string
  root?: string
  docsAt?: string
  markdown?: true
  whole?: true
  comment?: string
  map?: true
}

/** Which pages a change of code touches: no server, no model, no network. */
export function addImpactCommand(
  program: Command,
  open: (command: Command) => CommandContext,
  openHosted: OpenHosted,
): void {
  program
    .command('impact')
    .description('Show which pages a code change touches (no server or model needed)')
    .argument('[range]', 'a commit, or two of them: from..to')
    .option('--folder <folder>', 'the working copy of the docs', '.')
    .option('--code <folder>', 'the working copy of the code, if it is another repository')
    .option('--root <folder>', 'docs folder, for example docs/ (default: the whole repository)')
    .option('--docs-at <commit>', 'with --code: the commit of the docs to look at (default: HEAD)')
    .option('--whole', 'compare the range as one change, not commit by commit')
    .option('--markdown', 'print a report for a comment')
    .option('--comment <url>', 'keep one comment and a status on this pull request (implies --whole)')
    .option('--map', 'show which pages changed with which code before, instead of a change')
    .action(async (range: string | undefined, options: Options, command: Command) => {
      const context = open(command)
      if (options.map) {
        const folder = pathFromUser(options.folder)
        const map = await mapOfFolder({ folder, root: options.root ?? '', environment: process.env })
        return context.print(map, () => mapLines(map))
      }
      if (range === undefined)
        throw new AppError('invalid', 'Name a commit or a range, such as v2.1..v2.2, or use --map')
      const line = context.progress()
      const impact = await impactOfFolders({
        range,
        docs: pathFromUser(options.folder),
        code: options.code === undefined ? undefined : pathFromUser(options.code),
        docsAt: options.docsAt,
        root: options.root ?? '',
        isWhole: options.whole === true || options.comment !== undefined,
        environment: process.env,
        onProgress: (done, total) => line.show({ phase: 'commits', done, total }),
      }).finally(line.end)
      if (options.markdown) process.stdout.write(impactMarkdown(impact))
      else context.print(impact, () => impactLines(impact))
      if (options.comment === undefined) return
      const root = options.root ?? ''
      process.stderr.write(`${await commentImpact(openHosted, options.comment, { impact, root })}\n`)
    })
}
