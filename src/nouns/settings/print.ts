import { numberOrText } from '../../lib/amount.ts'
import { readFile } from 'node:fs/promises'
import { Option, type Command } from 'commander'
import {
  changeOf,
  fieldsOfCommand,
  itemsOf,
  nameField,
  settingNames,
  type SettingField,
} from '../../features/projects/settings/fields.ts'
import { AppError } from '../../lib/errors.ts'
import { projectAnswer } from '../projects/answers.ts'
import {
  pathFromUser,
  resolveProject,
  type CliProject,
  type CommandContext,
} from '../../cli/command-context.ts'

/** `project set`: an option for each field of the settings. */
export function addSetCommand(project: Command, open: (command: Command) => CommandContext): void {
  const options = fieldsOfCommand().map((field) => ({ field, option: new Option(field.option, field.help) }))
  const set = project.command('set <domain>').description('Show or change project settings')
  for (const { field, option } of options) {
    set.addOption(field.kind === 'number' ? option.argParser(numberOrText) : option)
    if (field.helpOff !== undefined) set.option(`--no-${option.name()}`, field.helpOff)
  }
  set
    .option('--unset <setting...>', `reset to the default: ${settingNames.join(', ')}`)
    .action(async (name: string, { unset = [] }: { unset?: string[] }, command: Command) => {
      const context = open(command)
      const before = await resolveProject(context, name)
      const unknown = unset.find((one) => !settingNames.includes(one))
      if (unknown !== undefined)
        throw new AppError(
          'invalid',
          `There is no setting ${unknown}; it is one of ${settingNames.join(', ')}`,
        )
      const typed = await Promise.all(
        options
          .map(({ field, option }) => [field, command.getOptionValue(option.attributeName())] as const)
          .filter(([, value]) => value !== undefined)
          .map(async ([field, value]) => [field, await readOption(field, value)] as const),
      )
      const removed = Object.fromEntries(unset.map((one) => [one, null]))
      const change = changeOf(typed, before.settings, removed)
      const after = Object.keys(change).length === 0 ? before : await send(context, before, change)
      context.print(after.settings, () => [...describe(after.settings), ...after.warnings])
    })
}

async function send(
  context: CommandContext,
  { domain }: CliProject,
  change: Record<string, unknown>,
): Promise<CliProject> {
  try {
    return await context.read(projectAnswer, 'PATCH', `/admin/projects/${domain}/settings`, change)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError(
      error.code,
      nameField(error.message, ({ option }) => option.split(' ')[0] ?? option),
    )
  }
}

async function readOption(field: SettingField, value: unknown): Promise<unknown> {
  const { typed } = field
  if (typed === 'passage' && typeof value === 'string' && value.startsWith('@'))
    return readFile(pathFromUser(value.slice(1)), 'utf8')
  if (!Array.isArray(value)) return value
  const texts = value.map(String)
  if (typed === 'repositories') return texts.map(contextRepository)
  return typed === undefined ? texts : itemsOf(field, texts.join(','))
}

function contextRepository(text: string): object {
  const [, name, place = '', ref] = /^([^=]+)=([^#]+)(?:#(.+))?$/.exec(text) ?? []
  if (name === undefined)
    throw new AppError('invalid', `Give a context repository as name=path-or-url, not ${text}`)
  const location = /^[a-z][a-z0-9+.-]*:\/\//i.test(place) ? place : pathFromUser(place)
  return { name, location, ...(ref === undefined ? {} : { ref }) }
}

function describe(settings: Record<string, unknown>): string[] {
  const names = Object.keys(settings)
  if (names.length === 0) return ['No settings changed. Server defaults apply']
  const width = Math.max(...names.map((name) => name.length))
  return names.map((name) => {
    const value = settings[name]
    return `${name.padEnd(width)}  ${typeof value === 'string' ? value : JSON.stringify(value)}`
  })
}
