import type { Command } from 'commander'
import { AppError } from '../../lib/errors.ts'
import { timeText } from '../../lib/text/time-words.ts'
import { ask } from '../../verbs/terminal.ts'
import { connectProject, getHost } from './verbs.ts'
import { addHostOptions, hostFields, type HostOptions } from '../../cli/host-options.ts'
import { resolveProject, type CommandContext } from '../../cli/command-context.ts'
import type { Answer } from '../../cli/read-answer.ts'

type Host = NonNullable<Answer<(typeof getHost)['output']>>

/** `project connect`, and `project host`, which shows the present connection. */
export function addConnectionCommands(project: Command, open: (command: Command) => CommandContext): void {
  addHostOptions(
    project.command('connect <domain>').description('Test and change a project’s git host connection'),
  )
    .option('--no-fork', 'push to the repository itself again')
    .option('--no-token', 'remove the project’s credential and use the server’s')
    .option('--location <url>', 'new repository URL')
    .option('--ref <branch>', 'branch to index')
    .option('--root <folder>', 'folder of the pages; . for the whole repository')
    .action(
      async (
        name: string,
        {
          fork,
          token,
          location,
          ref,
          root,
          ...options
        }: Omit<HostOptions, 'fork'> & {
          fork?: string | boolean
          token: boolean
          location?: string
          ref?: string
          root?: string
        },
        command: Command,
      ) => {
        const context = open(command)
        const { domain } = await resolveProject(context, name)
        const change = {
          ...(await hostFields({ ...options, ...(typeof fork === 'string' && { fork }) })),
          ...(fork === false && { fork: null }),
          ...(!token && { credential: null }),
          ...(location !== undefined && { location }),
          ...(ref !== undefined && { ref }),
          ...(root !== undefined && { root }),
        }
        const changed = await ask(context, connectProject, { ...change, domain })
        for (const note of changed.notes) context.note(`Note: ${note}`)
        context.print({ ...changed }, () => `Connected ${domain} to ${changed.repository}`)
      },
    )

  project
    .command('host <domain>')
    .description('Show a project’s git host connection and missing permissions')
    .option('--webhook-secret', 'show the secret to set up the webhook at the host by hand')
    .action(async (name: string, options: { webhookSecret?: boolean }, command: Command) => {
      const context = open(command)
      const { domain } = await resolveProject(context, name)
      const host = await ask(context, getHost, { domain })
      if (host === null)
        throw new AppError('invalid', `${domain} is a local repository, so it has no git host`)
      const { secret, ...webhook } = host.webhook
      const printed = options.webhookSecret === true ? host : { ...host, webhook }
      context.print(printed, () => describe(host, options.webhookSecret === true ? secret : null))
    })
}

function describe(host: Host, secret: string | null): string[] {
  const { webhook } = host
  const none = webhook.state === 'active' ? ', not called yet' : ''
  const called = webhook.calledAt === null ? none : `, last called ${timeText(webhook.calledAt)}`
  return [
    `host        ${host.kind}, ${host.site}`,
    `repository  ${host.path}`,
    ...(host.fork === null ? [] : [`fork        ${host.fork}`]),
    ...(host.defaultBranch === null ? [] : [`default     ${host.defaultBranch}`]),
    `credential  ${describeCredential(host)}`,
    ...(host.expiresAt === null ? [] : [`expires     ${timeText(host.expiresAt)}`]),
    ...(webhook.url === null
      ? []
      : [`webhook     ${webhook.state === 'active' ? 'set up' : 'not set up'}, ${webhook.url}${called}`]),
    ...(secret === null ? [] : [`secret      ${secret}`]),
    ...host.notes.map((note) => `note        ${note}`),
    ...(host.problem === null ? [] : [`problem     ${host.problem}`]),
  ]
}

const owners = new Map([
  ['project', 'the project’s own'],
  ['server', 'the server’s'],
])
const credentialKinds = new Map([
  ['token', 'token'],
  ['github_app', 'GitHub App'],
])

function describeCredential({ credential, credentialKind, login }: Host): string {
  if (credential === null) return 'none'
  const kind = credentialKind === null ? '' : `, ${credentialKinds.get(credentialKind) ?? credentialKind}`
  return `${owners.get(credential) ?? credential}${kind}${login === null ? '' : `, ${login}`}`
}
