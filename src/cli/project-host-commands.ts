import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { AppError } from '../lib/errors.ts'
import { timeText } from '../lib/text/time-words.ts'
import { hostBody } from '../nouns/connections/answers.ts'
import { notes, projectAnswer } from '../nouns/projects/answers.ts'
import { pathFromUser, resolveProject, type CommandContext } from './command-context.ts'
import type { Answer } from './read-answer.ts'

type Host = Answer<typeof hostBody>
const notedProject = projectAnswer.extend(notes)

/** Options of `project add` and `project connect` for the connection to the host. */
export interface HostOptions {
  host?: string
  tokenFile?: string
  tokenEnv?: string
  username?: string
  githubAppId?: string
  githubAppKeyFile?: string
  fork?: string
}

type Credential =
  | { kind: 'token'; token: string; username?: string }
  | { kind: 'github_app'; appId: string; privateKey: string }

export function addHostOptions(command: Command): Command {
  return command
    .option('--host <kind>', 'github, gitlab, gitea (also Forgejo), bitbucket or git (default: detected)')
    .option('--token-file <file>', 'file that holds an access token of the host')
    .option('--token-env <name>', 'environment variable that holds it')
    .option('--username <name>', 'user name that the host’s git needs with the token')
    .option('--github-app-id <id>', 'a GitHub App instead of a token')
    .option('--github-app-key-file <file>', 'its private key')
    .option('--fork <url>', 'push branches to this fork, and open pull requests from there')
}

/** Turns the host options into the fields of a request, with secrets read from their files. */
export async function hostFields(options: HostOptions): Promise<{
  host?: string
  fork?: string
  credential?: Credential
}> {
  const { host, fork } = options
  const credential = await credentialOf(options)
  return { ...(host && { host }), ...(fork && { fork }), ...(credential && { credential }) }
}

/** `project connect`, and `project host`, which shows the present connection. */
export function addProjectHostCommands(project: Command, open: (command: Command) => CommandContext): void {
  addHostOptions(
    project
      .command('connect <domain>')
      .description('change how the server reaches a repository on a git host, after trying it'),
  )
    .option('--no-fork', 'push to the repository itself again')
    .option('--no-token', 'forget the project’s own credential; the server’s is used then')
    .option('--location <url>', 'its new address, if that has changed')
    .option('--ref <branch>', 'branch to read, such as after the default one was renamed')
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
        const path = `/admin/projects/${domain}/host`
        const changed = await context.read(notedProject, 'PATCH', path, change)
        for (const note of changed.notes) context.note(`Note: ${note}`)
        context.print({ ...changed }, () => `Connected ${domain} to ${changed.repository}`)
      },
    )

  project
    .command('host <domain>')
    .description('how the server reaches a repository on a git host, and what is missing')
    .option('--webhook-secret', 'show the secret to set up the webhook at the host by hand')
    .action(async (name: string, options: { webhookSecret?: boolean }, command: Command) => {
      const context = open(command)
      const { domain } = await resolveProject(context, name)
      const host = await context.read(hostBody.nullable(), 'GET', `/admin/projects/${domain}/host`)
      if (host === null)
        throw new AppError('invalid', `${domain} is a folder on this server: it has no git host`)
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

async function credentialOf(options: HostOptions): Promise<Credential | undefined> {
  const { tokenFile, tokenEnv, username, githubAppId: appId, githubAppKeyFile: keyFile } = options
  const sources = [tokenFile, tokenEnv, appId].filter((option) => option !== undefined)
  if (sources.length > 1)
    throw new AppError('invalid', 'Give one of --token-file, --token-env and --github-app-id')
  if ((appId === undefined) !== (keyFile === undefined))
    throw new AppError('invalid', '--github-app-id and --github-app-key-file belong together')
  if (appId !== undefined && keyFile !== undefined)
    return { kind: 'github_app', appId, privateKey: await secretIn(keyFile) }
  const token =
    tokenFile === undefined ? tokenEnv && process.env[tokenEnv]?.trim() : await secretIn(tokenFile)
  if (tokenEnv !== undefined && !token)
    throw new AppError('invalid', `The environment variable ${tokenEnv} is not set`)
  if (!token && username !== undefined)
    throw new AppError('invalid', '--username belongs to a token: give --token-file or --token-env')
  return token ? { kind: 'token', token, ...(username && { username }) } : undefined
}

async function secretIn(path: string): Promise<string> {
  const text = await readFile(pathFromUser(path), 'utf8').catch((cause: unknown) => {
    throw new AppError('invalid', `The file ${path} cannot be read`, { cause })
  })
  if (text.trim() === '') throw new AppError('invalid', `The file ${path} is empty`)
  return text.trim()
}
