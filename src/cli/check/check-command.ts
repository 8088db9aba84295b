import { Option, type Command } from 'commander'
import { AppError } from '../../lib/errors.ts'
import { countedPlural } from '../../lib/text/counted.ts'
import { pathFromUser, type CommandContext } from '../command-context.ts'
import { jsonText } from '../terminal-text.ts'
import { checkFolder } from '../../features/docs/check-folder/check-folder.ts'
import {
  checkLines,
  countProblems,
  formats,
  githubAnnotations,
  gitlabReport,
  type CheckFormat,
} from './print-check.ts'

interface Options {
  folder: string
  root?: string
  base?: string
  format: CheckFormat
  strict?: true
}

/** The checks of jobs on a working copy: no server, no data folder, no network. */
export function addCheckCommand(program: Command, open: (command: Command) => CommandContext): void {
  program
    .command('check')
    .description('Check the docs in a local folder (no server needed; exits with 1 on errors)')
    .argument('[paths...]', 'only these files and folders, from the top of the repository')
    .option('--folder <folder>', 'the working copy', '.')
    .option('--root <folder>', 'docs folder, for example docs/ (default: the whole repository)')
    .option('--base <commit>', 'report only problems introduced since this ref, for example origin/main')
    .addOption(
      new Option('--format <format>', 'text, json, github (annotations) or gitlab (code quality report)')
        .choices(formats)
        .default('text'),
    )
    .option('--strict', 'exit with 1 for warnings too')
    .action(async (paths: string[], options: Options, command: Command) => {
      const context = open(command)
      const line = context.progress()
      const check = await checkFolder({
        folder: pathFromUser(options.folder),
        root: options.root ?? '',
        base: options.base,
        paths,
        environment: process.env,
        onProgress: line.show,
      }).finally(line.end)
      if (check.pages === 0) {
        const unread = check.unread.map(({ format, pages }) => countedPlural(pages, `pages in ${format}`))
        throw new AppError(
          'invalid',
          unread.length > 0
            ? `There is no page in ${check.folder} that can be read. Not read: ${unread.join(', ')} (${check.framework})`
            : `There is no page in ${check.folder}; name the folder of the pages with --root`,
        )
      }
      if (options.format === 'github') process.stdout.write(githubAnnotations(check))
      else if (options.format === 'gitlab') process.stdout.write(gitlabReport(check))
      else if (options.format === 'json') process.stdout.write(`${jsonText(check)}\n`)
      if (options.format === 'text') context.print(check, () => checkLines(check))
      const { errors, warnings } = countProblems(check.problems)
      if (errors > 0 || (options.strict === true && warnings > 0)) process.exitCode = 1
    })
}
