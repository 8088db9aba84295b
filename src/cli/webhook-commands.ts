import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from 'commander'
import { resolveProject, type CommandContext } from './command-context.ts'
import { stateText, table } from './terminal-text.ts'

interface ListedWebhook {
  id: string
  url: string
  events: string[]
  disabledAt: string | null
}

interface ListedMessage {
  id: string
  type: string
  state: 'pending' | 'delivered' | 'failed'
  createdAt: string
  nextAttemptAt: string | null
  attempts: { n: number; at: string; status: number | null; error: string | null }[]
}

interface WebhookOptions {
  project?: string
}

export function addWebhookCommands(program: Command, open: (command: Command) => CommandContext): void {
  const webhook = program.command('webhook').description('addresses that receive the events of jobs')
  const define = (usage: string, description: string): Command =>
    webhook
      .command(usage)
      .description(description)
      .option('--project <domain-or-id>', 'its project (default: the only one)')

  define('add <url>', 'make a webhook; its secret is shown once')
    .option('--event <type...>', 'types of events to send (default: all)')
    .action(async (url: string, options: WebhookOptions & { event?: string[] }, command: Command) => {
      const { context, path } = await reach(open(command), options)
      const made = await context.json<ListedWebhook & { secret: string }>('POST', path, {
        url,
        events: options.event,
      })
      context.print(made, () => [made.secret, `(secret of webhook ${made.id}; it is not shown again)`])
    })

  define('list', 'all webhooks of a project').action(async (options: WebhookOptions, command: Command) => {
    const { context, path } = await reach(open(command), options)
    const { webhooks } = await context.json<{ webhooks: ListedWebhook[] }>('GET', path)
    context.print(webhooks, () =>
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
    )
  })

  define('remove <id>', 'send nothing to it any more').action(
    async (id: string, options: WebhookOptions, command: Command) => {
      const { context, path } = await reach(open(command), options)
      const removed = await context.json<ListedWebhook>('DELETE', `${path}/${encodeURIComponent(id)}`)
      context.print(removed, () => `Removed ${removed.id}`)
    },
  )

  define('log <id>', 'what was sent, newest first').action(
    async (id: string, options: WebhookOptions, command: Command) => {
      const { context, path } = await reach(open(command), options)
      const messages = `${path}/${encodeURIComponent(id)}/messages`
      const page = await context.json<{ messages: ListedMessage[] }>('GET', messages)
      context.print(page, () =>
        table(
          ['ID', 'CREATED', 'TYPE', 'STATE', 'ATTEMPTS', 'LAST RESULT'],
          page.messages.map((one) => [
            one.id,
            one.createdAt.slice(0, 19),
            one.type,
            stateText(one.state),
            String(one.attempts.length),
            resultOf(one),
          ]),
          'No message',
        ),
      )
    },
  )

  define('resend <id> <message>', 'send a message once more and wait for the result').action(
    async (id: string, message: string, options: WebhookOptions, command: Command) => {
      const { context, path } = await reach(open(command), options)
      const one = `${path}/${encodeURIComponent(id)}`
      await send(context, one, `${one}/messages/${encodeURIComponent(message)}/resend`)
    },
  )

  define('test <id>', 'send a test message and wait for the result').action(
    async (id: string, options: WebhookOptions, command: Command) => {
      const { context, path } = await reach(open(command), options)
      const one = `${path}/${encodeURIComponent(id)}`
      await send(context, one, `${one}/test`)
    },
  )
}

async function reach(
  context: CommandContext,
  { project }: WebhookOptions,
): Promise<{ context: CommandContext; path: string }> {
  const { id } = await resolveProject(context, project)
  return { context, path: `/v2/agent/${id}/webhooks` }
}

/** Waits for one more delivery attempt. The command exits with 1 when it failed. */
async function send(context: CommandContext, webhook: string, path: string): Promise<void> {
  const asked = await context.json<ListedMessage>('POST', path, {})
  for (;;) {
    await delay(200)
    const now = await context.json<ListedMessage>('GET', `${webhook}/messages/${asked.id}`)
    if (now.attempts.length === asked.attempts.length) continue
    context.print(now, () => `${now.id}  ${resultOf(now)}`)
    if (now.attempts.at(-1)?.error !== null) process.exitCode = 1
    return
  }
}

function resultOf({ attempts }: ListedMessage): string {
  const last = attempts.at(-1)
  return last ? (last.error ?? `answered ${last.status ?? ''}`) : ''
}
