import type { Command } from 'commander'
import { readList, type CommandContext } from '../../cli/command-context.ts'
import { table, writeRaw } from '../../cli/terminal-text.ts'
import { wholeNumber } from '../../cli/typed-number.ts'
import { exactTimeText } from '../../lib/text/time-words.ts'
import { ask, verbOptions } from '../../verbs/terminal.ts'
import { listAudit } from './verbs.ts'

export function addAuditCommand(program: Command, open: (command: Command) => CommandContext): void {
  const audit = program.command('audit').description('Show the audit log, newest first')
  const filterOf = verbOptions(audit, listAudit)
  audit
    .option('--limit <number>', 'maximum number of entries', wholeNumber(1, 99_999), 50)
    .option('--export <format>', 'print all lines as jsonl or csv')
    .action(async ({ export: format, limit }: { export?: string; limit: number }, command: Command) => {
      const context = open(command)
      const filter = filterOf()
      if (format !== undefined) {
        const wanted = Object.entries({ ...filter, format }).map(([name, value]): [string, string] => [
          name,
          String(value),
        ])
        const query = new URLSearchParams(wanted)
        const response = await context.request('GET', `/admin/audit/export?${query.toString()}`)
        await writeRaw(response.body ?? [], process.stdout)
        return
      }
      const page = await readList((part) => ask(context, listAudit, { ...filter, ...part }), {
        limit,
        most: 200,
        entriesOf: ({ lines }) => lines,
      })
      context.print(page, () =>
        table(
          ['WHEN', 'WHO', 'WHAT', 'PROJECT', 'OF', 'FROM'],
          page.lines.map((line) => [
            exactTimeText(line.at),
            line.actor.name,
            line.text,
            line.project ?? '',
            line.target ?? '',
            line.address ?? '',
          ]),
          'No audit log entries',
        ),
      )
    })
}
