import { z } from '@hono/zod-openapi'
import type { Command } from 'commander'
import { resolveProject, type CommandContext } from '../cli/command-context.ts'
import type { Answer } from '../cli/read-answer.ts'
import type { Lines } from '../cli/terminal-text.ts'
import { checkTyped, numberOr, valueOf } from './read-fields.ts'
import type { Address } from '../api/description/operation.ts'
import { placesOf, type Verb } from './verb.ts'
import '../lib/text/rule-words.ts'

type Field<Input extends z.ZodObject> = keyof Input['shape'] & string

/** A command that does what a verb does, in a part of it. */
interface CommandView<Input extends z.ZodObject, Output extends z.ZodType<object>> {
  /** Its name and arguments, as commander reads them: the parameters of the path, then `positional`. */
  usage: string
  description: string
  /** Fields that are arguments. */
  positional?: readonly Field<Input>[]
  /** Fields that are options; by default all that have one. */
  only?: readonly Field<Input>[]
  /** What the command gives itself. */
  given?: Partial<z.input<Input>>
  /** What programs read of an answer; by default the whole of it. */
  json?(answer: Answer<Output>): unknown
}

/** A command that does what a verb does on the running server, to be added to a group. */
export interface VerbCommand<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType<object> = z.ZodType<object>,
> {
  verb: Verb<Address, Input, Output>
  view: CommandView<Input, Output>
  /** What people read of an answer. */
  print(answer: Answer<Output>, input: z.output<Input>): Lines
}

/** Keeps the types of a command. */
export function verbCommand<Input extends z.ZodObject, Output extends z.ZodType<object>>(
  verb: Verb<Address, Input, Output>,
  view: CommandView<Input, Output>,
  print: VerbCommand<Input, Output>['print'],
): VerbCommand<Input, Output> {
  return { verb, view, print }
}

/**
 * Adds commands of verbs to a group.
 * @param help of the option that names the project
 */
export function addVerbCommands(
  group: Command,
  open: (command: Command) => CommandContext,
  commands: readonly VerbCommand[],
  help = { project: 'its project (default: the only project)' },
): void {
  for (const one of commands) addVerbCommand(group, open, one, help)
}

function addVerbCommand(
  group: Command,
  open: (command: Command) => CommandContext,
  { verb, view, print }: VerbCommand,
  help: { project: string },
): void {
  const { usage, description, positional = [], given = {} } = view
  const [method = '', path = ''] = verb.address.split(' ')
  const places = placesOf(path)
  const command = group.command(usage).description(description)
  if (places.project !== undefined) command.option('--project <domain-or-id>', help.project)
  const options = optionsOf(verb, view)
  for (const [field, option, words] of options) addOption(command, verb.input.shape[field], option, words)
  const nameOf = (field: string): string =>
    positional.includes(field)
      ? `<${command.registeredArguments[places.others.length + positional.indexOf(field)]?.name() ?? field}>`
      : flagOf(verb.fields[field]?.option ?? field)
  command.action(async () => {
    const context = open(command)
    const typed = Object.fromEntries([
      ...positional.map((field, index) => [field, command.args[places.others.length + index]]),
      ...options.flatMap(([field, option]) => {
        const value: unknown = command.getOptionValue(keyOf(option))
        return value === undefined ? [] : [[field, value]]
      }),
    ])
    const input = checkTyped(verb, { ...typed, ...given }, nameOf)
    const names = new Map(places.others.map((place, index) => [place, command.args[index] ?? '']))
    if (places.project !== undefined) {
      const project = await resolveProject(context, command.getOptionValue('project'))
      names.set(places.project, places.project === 'domain' ? project.domain : project.id)
    }
    const address = path.replaceAll(/\{(\w+)\}/g, (_, place: string) =>
      encodeURIComponent(names.get(place) ?? ''),
    )
    const answer = await (method === 'get'
      ? context.read(verb.output, 'GET', withQuery(address, input))
      : context.read(
          verb.output,
          method.toUpperCase(),
          address,
          Object.keys(verb.input.shape).length === 0 ? undefined : input,
        ))
    context.print(view.json?.(answer) ?? answer, () => print(answer, input))
  })
}

/** The fields that are options, with the option as commander reads it and its help. */
function optionsOf(
  verb: Verb,
  { only, positional = [] }: CommandView<z.ZodObject, z.ZodType<object>>,
): [string, string, string][] {
  return Object.entries(verb.fields).flatMap(([field, { option, help = '' }]) =>
    option === undefined || positional.includes(field) || only?.includes(field) === false
      ? []
      : [[field, option, help]],
  )
}

function addOption(
  command: Command,
  schema: z.core.$ZodType | undefined,
  option: string,
  help: string,
): void {
  if (schema === undefined) return
  const usual = schema instanceof z.ZodDefault ? String(schema.def.defaultValue) : undefined
  if (!z.safeParse(schema, undefined).success) command.requiredOption(option, help)
  else if (usual === undefined && valueOf(schema) instanceof z.ZodNumber)
    command.option(option, help, numberOr)
  else command.option(option, help, usual)
}

/** `--expires` of `--expires <days>`. */
function flagOf(option: string): string {
  return option.split(' ')[0] ?? option
}

/** `expires` of `--expires <days>`, as commander keeps its value. */
function keyOf(option: string): string {
  return flagOf(option)
    .replace(/^--(?:no-)?/, '')
    .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function withQuery(address: string, input: Record<string, unknown>): string {
  const query = new URLSearchParams(
    Object.entries(input).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number'
        ? [[name, String(value)] as [string, string]]
        : [],
    ),
  )
  return query.size === 0 ? address : `${address}?${query.toString()}`
}
