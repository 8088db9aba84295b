import type { Command } from 'commander'
import { exactTimeText } from '../lib/text/time-words.ts'
import { auditPage } from '../nouns/audit/answers.ts'
import { readList, type CommandContext } from './command-context.ts'
import { table, writeRaw } from './terminal-text.ts'
import { wholeNumber } from './typed-number.ts'

export function addAuditCommand(program: Command, open: (command: Command) => CommandContext): void {
  program
    .command('audit')
    .description('Show the audit log, newest first')
    .option('--organization <id>', 'only of this organization')
    .option('--actor <name-or-id>', 'filter by member or key')
    .option('--action <name>', 'only this, such as createJob')
    .option('--project <domain>', 'only in this project')
    .option('--from <day>', 'first day (UTC), such as 2026-11-23')
    .option('--to <day>', 'last day (UTC)')
    .option('--limit <number>', 'maximum number of entries', wholeNumber(1, 99_999), 50)
    .option('--export <format>', 'print all lines as jsonl or csv')
    .action(
      async (
        { export: format, limit, ...filter }: { export?: string; limit: number } & Record<string, string>,
        command: Command,
      ) => {
        const context = open(command)
        const known = ['organization', 'actor', 'action', 'project', 'from', 'to']
        const query = new URLSearchParams(Object.entries(filter).filter(([name]) => known.includes(name)))
        if (format !== undefined) {
          query.set('format', format)
          const response = await context.request('GET', `/admin/audit/export?${query.toString()}`)
          await writeRaw(response.body ?? [], process.stdout)
          return
        }
        const page = await readList(
          (part) => context.read(auditPage, 'GET', `/admin/audit?${part.toString()}`),
          query,
          {
            limit,
            most: 200,
            entriesOf: ({ lines }) => lines,
          },
        )
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
      },
    )
}
