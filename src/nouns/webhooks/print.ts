import type { Command } from 'commander'
import { askUntil } from '../../cli/ask-until.ts'
import { resolveProject, type CommandContext } from '../../cli/command-context.ts'
import type { Answer } from '../../cli/read-answer.ts'
import { stateText, table } from '../../cli/terminal-text.ts'
import { exactTimeText } from '../../lib/text/time-words.ts'
import { addVerbCommands, ask, projectPlace, verbCommand } from '../../verbs/terminal.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhookMessage,
  listWebhookMessages,
  listWebhooks,
  resendWebhookMessage,
  testWebhook,
} from './verbs.ts'

type Message = Answer<(typeof getWebhookMessage)['output']>

export const webhookCommands = [
  verbCommand(
    createWebhook,
    { usage: 'add <url>', description: 'Add a webhook (secret shown once)', positional: ['url'] },
    ({ id, secret }) => [secret, `(secret of webhook ${id}; it is not shown again)`],
  ),
  verbCommand(
    listWebhooks,
    { usage: 'list', description: 'List a project’s webhooks', json: ({ webhooks }) => webhooks },
    ({ webhooks }) =>
      table(
        ['ID', 'STATE', 'EVENTS', 'URL'],
        webhooks.map(({ id, url, events, disabledAt }) => [
          id,
          disabledAt === null ? 'live' : 'disabled',
          events.join(' ') || 'all',
          url,
        ]),
        'No webhook',
      ),
  ),
  verbCommand(
    deleteWebhook,
    { usage: 'remove <id>', description: 'Delete a webhook' },
    ({ id }) => `Removed ${id}`,
  ),
  verbCommand(
    listWebhookMessages,
    { usage: 'log <id>', description: 'List deliveries, newest first' },
    ({ messages }) =>
      table(
        ['ID', 'CREATED', 'TYPE', 'STATE', 'ATTEMPTS', 'LAST RESULT'],
        messages.map((one) => [
          one.id,
          exactTimeText(one.createdAt),
          one.type,
          stateText(one.state),
          String(one.attempts.length),
          resultOf(one),
        ]),
        'No message',
      ),
  ),
]

export function addWebhookCommands(program: Command, open: (command: Command) => CommandContext): void {
  const group = program.command('webhook').description('Manage webhooks')
  const project = 'its project (default: the only one)'
  addVerbCommands(group, open, webhookCommands, projectPlace(project))
  const define = (usage: string, description: string): Command =>
    group.command(usage).description(description).option('--project <domain-or-id>', project)

  define('resend <id> <message>', 'Resend a message and wait for the result').action(
    async (id: string, message: string, options: { project?: string }, command: Command) =>
      waitFor(open(command), options.project, id, (context, place) =>
        ask(context, resendWebhookMessage, { ...place, messageId: message }),
      ),
  )

  define('test <id>', 'Send a test message and wait for the result').action(
    async (id: string, options: { project?: string }, command: Command) =>
      waitFor(open(command), options.project, id, (context, place) => ask(context, testWebhook, place)),
  )
}

/** Waits for one more delivery attempt. The command exits with 1 when it failed. */
async function waitFor(
  context: CommandContext,
  name: string | undefined,
  id: string,
  send: (context: CommandContext, place: { projectId: string; id: string }) => Promise<Message>,
): Promise<void> {
  const place = { projectId: (await resolveProject(context, name)).id, id }
  const sent = await send(context, place)
  const message = await askUntil(200, async () => {
    const now = await ask(context, getWebhookMessage, { ...place, messageId: sent.id })
    // A webhook that is disabled meanwhile fails without another attempt.
    return now.attempts.length > sent.attempts.length || now.state === 'failed' ? now : undefined
  })
  context.print(message, () => `${message.id}  ${resultOf(message)}`)
  if (message.state === 'failed' || message.attempts.at(-1)?.error !== null) process.exitCode = 1
}

function resultOf({ attempts }: Message): string {
  const last = attempts.at(-1)
  return last ? (last.error ?? `answered ${last.status ?? ''}`) : ''
}
