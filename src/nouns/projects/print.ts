import type { Command } from 'commander'
import { isAddress } from '../../lib/repository-address.ts'
import { readersOf, visibilities } from '../../features/projects/visibility.ts'
import { ownCommand } from '../../lib/own-command.ts'
import { AppError } from '../../lib/errors.ts'
import { timeText } from '../../lib/text/time-words.ts'
import { addVerbCommands, ask, verbCommand, verbOptions } from '../../verbs/terminal.ts'
import { addProject, changeSettings, getProject, listProjects, removeProject, syncProject } from './verbs.ts'
import { askUntil } from '../../cli/ask-until.ts'
import { askVisibility } from './ask-visibility.ts'
import {
  pathFromUser,
  resolveProject,
  type CliProject,
  type CommandContext,
} from '../../cli/command-context.ts'
import { addHostOptions, hostFields, type HostOptions } from '../../cli/host-options.ts'
import { enrichmentText } from './use-commands.ts'
import { facts, stateText, styled, table, type Text } from '../../cli/terminal-text.ts'

interface AddOptions extends HostOptions {
  json?: boolean
  wait: boolean
}

export const projectCommands = [
  verbCommand(
    listProjects,
    { usage: 'list', description: 'List projects', json: (projects) => projects.map(summaryOf) },
    (projects) =>
      table(
        ['DOMAIN', 'ID', 'PAGES', 'SYNC', 'REPOSITORY'],
        projects.map((one) => [one.domain, one.id, String(one.pages), stateOf(one), one.repository]),
        'No project',
      ),
  ),
]

type Open = (command: Command) => CommandContext

/** @returns the group, for commands of other nouns */
export function addProjectCommands(program: Command, open: Open): Command {
  const project = program.command('project').description('Manage projects')

  const add = addHostOptions(
    project.command('add <path-or-url>').description('Add a project from a repository'),
  )
  const fieldsOf = verbOptions(add, addProject)
  add
    .option('--no-wait', 'return without waiting for the first sync')
    .action(async (location: string, { wait, ...options }: AddOptions, command: Command) => {
      const context = open(command)
      const fields = fieldsOf()
      const added = await ask(context, addProject, {
        ...fields,
        ...(await hostFields(options)),
        location: isAddress(location) ? location : pathFromUser(location),
      })
      for (const note of added.notes) context.note(`Note: ${note}`)
      const isOpen = fields.visibility === undefined && !added.hasCredential
      const settled = isOpen && isWatched(options) ? await chooseVisibility(context, added) : added
      const ready = wait ? await waitForSync(context, added.domain) : settled
      context.print({ ...summaryOf(ready), visibility: ready.visibility, notes: added.notes }, () => [
        ...describe(ready),
        `Change who reads with: project set ${ready.domain} --visibility ${visibilities.join('|')}`,
      ])
    })

  addVerbCommands(project, open, projectCommands)

  project
    .command('show <domain>')
    .description('Show a project and its sync status')
    .action(async (name: string, _options: unknown, command: Command) => {
      const context = open(command)
      const project = await resolveProject(context, name)
      const tools = `${await context.url()}/mcp/${project.domain}`
      context.print(project, () => describe(project, tools))
    })

  project
    .command('sync <domain>')
    .description('Sync a project now')
    .action(async (name: string, _options: unknown, command: Command) => {
      const context = open(command)
      const before = await resolveProject(context, name)
      await ask(context, syncProject, { domain: before.domain })
      const after = await waitForSync(context, before.domain, before.sync.at)
      context.print(after, () => describe(after))
    })

  project
    .command('remove <domain>')
    .description('Delete a project with its jobs, conversations, and keys (the repository is not affected)')
    .option('--yes', 'confirm the removal')
    .action(async (name: string, options: { yes?: boolean }, command: Command) => {
      const context = open(command)
      const project = await resolveProject(context, name)
      if (options.yes !== true)
        throw new AppError(
          'invalid',
          `This permanently deletes ${project.domain} and its jobs, conversations, and keys. Run the command again with --yes to confirm`,
        )
      const removed = await ask(context, removeProject, { domain: project.domain })
      for (const note of removed.notes) context.note(`Note: ${note}`)
      context.print({ ...project, notes: removed.notes }, () => `Removed ${project.domain}`)
    })
  return project
}

/** Whether a person can be asked something. */
function isWatched({ json }: Pick<AddOptions, 'json'>): boolean {
  return json !== true && process.stdin.isTTY && process.stderr.isTTY
}

async function chooseVisibility(context: CommandContext, { domain }: CliProject): Promise<CliProject> {
  const visibility = await askVisibility(domain, { input: process.stdin, output: process.stderr })
  return ask(context, changeSettings, { domain, visibility })
}

/** The fields that scripts may rely on. */
type Summary = Pick<CliProject, 'id' | 'domain' | 'repository' | 'ref' | 'root' | 'pages'>

function summaryOf({ id, domain, repository, ref, root, pages }: Summary): object {
  return { id, domain, repository, ref, root, pages }
}

/** @param since time of the previous sync; undefined when there was none */
async function waitForSync(
  context: CommandContext,
  domain: string,
  since?: string | null,
): Promise<CliProject> {
  const line = context.progress()
  try {
    return await askUntil(200, async () => {
      const project = await ask(context, getProject, { domain })
      const { state, progress, error, at } = project.sync
      if (state === 'failed')
        throw new AppError(
          'unavailable',
          since === undefined
            ? `${domain} is added, but could not be indexed: ${error ?? 'unknown reason'}\nThen run "${ownCommand} project sync ${domain}" to retry, or "${ownCommand} project remove ${domain} --yes" to delete it`
            : `${domain} could not be synced: ${error ?? 'unknown reason'}\nThe pages of the sync before stay. Then try again with "${ownCommand} project sync ${domain}"`,
        )
      if (state === 'ready' && (since === undefined || at !== since)) return project
      if (progress) line.show(progress)
      return undefined
    })
  } finally {
    line.end()
  }
}

function stateOf({ sync }: Pick<CliProject, 'sync'>): Text {
  return sync.warning === null ? stateText(sync.state) : styled('yellow', 'no pages')
}

/** What the server says in words for everybody, as the command that does it. */
function readElsewhere({ domain, sync: { pageFolders } }: CliProject): string {
  const [first] = pageFolders
  const change = first === undefined ? '--ref BRANCH' : `--root ${first.folder || '.'}`
  return `${ownCommand} project connect ${domain} ${change}`
}

/** The sites of the repository that are not read here; each can be a project. */
function otherSites({ sync: { warning, pageFolders } }: CliProject): string[] {
  if (warning !== null) return []
  return pageFolders
    .slice(1)
    .map(({ folder, pages }) => `${folder} (${pages} pages): add the repository again with --root ${folder}`)
}

/** What holds of the repository's file for the assistant, in one line. */
function assistantFileText({ assistantFile: file }: CliProject): string | undefined {
  if (file === null) return undefined
  const parts = [
    file.instructions === undefined ? [] : `${file.instructions.length} characters of instructions`,
    file.starters === undefined ? [] : `starters: ${file.starters.join('; ')}`,
    file.refuse === undefined ? [] : `refuses: ${file.refuse.join('; ')}`,
    file.contact === undefined ? [] : `contact: ${file.contact}`,
  ].flat()
  return `${file.path} at ${file.commit.slice(0, 10)}: ${parts.join(', ') || 'nothing'}`
}

/** @param tools address of the tools for agents */
function describe(project: CliProject, tools?: string): Text[][] {
  const { sync } = project
  const at = sync.at === null ? '' : `, ${timeText(sync.at)}`
  const commit = sync.commit === null ? '' : `, ${sync.commit.slice(0, 10)}`
  return facts([
    ['domain', project.domain],
    ['id', project.id],
    ['repository', project.repository],
    ['branch', project.ref],
    ['root', project.root === '' ? 'Whole repository' : project.root],
    ['framework', project.framework ?? '(not known yet)'],
    ['site', project.site ?? '(rendered by this server)'],
    ['pages', String(project.pages)],
    ['for agents', tools],
    ['readers', `${project.visibility}: ${readersOf(project.visibility)}`],
    ['sync', [stateOf(project), `${at}${commit}`]],
    ['error', sync.error ?? undefined],
    ['enrichment', project.enrichment === null ? undefined : enrichmentText(project.enrichment)],
    ['warning', sync.warning ?? undefined],
    ['to fix it', sync.warning === null ? undefined : readElsewhere(project)],
    ...otherSites(project).map((line) => ['other site', line] as const),
    ['assistant', assistantFileText(project)],
    ...sync.unreadable.map(({ path, message }) => ['left out', `${path}: ${message}`] as const),
  ])
}
