import { z } from '@hono/zod-openapi'
import type { Command } from 'commander'
import { resolveProject, type CommandContext } from '../cli/command-context.ts'
import type { Answer } from '../cli/read-answer.ts'
import type { Lines } from '../cli/terminal-text.ts'
import { numberOrText } from '../lib/amount.ts'
import { checkTyped, valueOf } from './read-fields.ts'
import type { Address } from '../api/description/operation.ts'
import type { Verb } from './verb.ts'
import '../lib/text/rule-words.ts'

type Field<Input extends z.ZodObject> = keyof Input['shape'] & string

/** A command that does what a verb does, in a part of it. */
interface CommandView<Input extends z.ZodObject, Output extends z.ZodType<object | null>> {
  /** Its name and arguments, as commander reads them: the parameters of the path, then `positional`. */
  usage: string
  description: string
  /** Fields that are arguments. */
  positional?: readonly Field<Input>[]
  /** Fields that are options; by default all that have one. */
  only?: readonly Field<Input>[]
  /** What the command gives itself. */
  given?: Partial<z.input<Input>>
  /** What an option is when it is not given, where the verb has no default. */
  usual?: Partial<z.input<Input>>
  /** What programs read of an answer; by default the whole of it. */
  json?(answer: Answer<Output>): unknown
}

/** A command that does what a verb does on the running server, to be added to a group. */
export interface VerbCommand<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType<object | null> = z.ZodType<object | null>,
> {
  verb: Verb<Address, Input, Output>
  view: CommandView<Input, Output>
  /** What people read of an answer. `names` are what people call the parameters of the path. */
  print(answer: Answer<Output>, input: z.output<Input>, names: Readonly<Record<string, string>>): Lines
}

/** Keeps the types of a command. */
export function verbCommand<Input extends z.ZodObject, Output extends z.ZodType<object | null>>(
  verb: Verb<Address, Input, Output>,
  view: CommandView<Input, Output>,
  print: VerbCommand<Input, Output>['print'],
): VerbCommand<Input, Output> {
  return { verb, view, print }
}

/** A parameter of a path that people name in another way than the path does. */
export interface Place {
  /** The option that names it, with its help; absent: an argument. */
  option?: readonly [option: string, help: string]
  /**
   * @param value what was given, if anything
   * @param path so far, up to this parameter
   * @param argument the value of another argument
   */
  find(
    context: CommandContext,
    value: string | undefined,
    path: string,
    argument: (name: string) => string | undefined,
  ): Promise<Found>
}

interface Found {
  id: string
  name: string
}

/** The project of a command. */
export function projectPlace(help = 'project (default: the only project)'): Record<string, Place> {
  const option = ['--project <domain-or-id>', help] as const
  const find = async (context: CommandContext, value: string | undefined) => {
    const { id, domain } = await resolveProject(context, value)
    return { id, domain }
  }
  return {
    projectId: { option, find: async (context, value) => named(await find(context, value), 'id') },
    domain: { option, find: async (context, value) => named(await find(context, value), 'domain') },
  }
}

function named(project: { id: string; domain: string }, by: 'id' | 'domain'): Found {
  return { id: project[by], name: project.domain }
}

/**
 * Adds commands of verbs to a group.
 * @param places how parameters of paths are named, by parameter; any other is an argument, taken as it is
 */
export function addVerbCommands(
  group: Command,
  open: (command: Command) => CommandContext,
  commands: readonly VerbCommand[],
  places = projectPlace(),
): void {
  for (const one of commands) addVerbCommand(group, open, one, places)
}

function addVerbCommand(
  group: Command,
  open: (command: Command) => CommandContext,
  { verb, view, print }: VerbCommand,
  found: Record<string, Place>,
): void {
  const { usage, description, positional = [], given = {}, usual = {} } = view
  const [method = '', path = ''] = verb.address.split(' ')
  const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ name, ...found[name] }))
  const command = group.command(usage).description(description)
  for (const { option } of places) if (option !== undefined) command.option(...option)
  const options = optionsOf(verb, view)
  for (const [field, option, words] of options)
    addOption(command, verb.input.shape[field], option, { words, usual: usual[field] })
  const args = [...places.flatMap(({ name, option }) => (option === undefined ? [name] : [])), ...positional]
  const argument = (name: string): string | undefined => command.args[args.indexOf(name)]
  const nameOf = (field: string): string =>
    positional.includes(field)
      ? `<${command.registeredArguments[args.lastIndexOf(field)]?.name() ?? field}>`
      : flagOf(verb.fields[field]?.option ?? field)
  command.action(async () => {
    const context = open(command)
    const typed = Object.fromEntries([
      ...positional.map((field) => [field, command.args[args.lastIndexOf(field)]]),
      ...options.flatMap(([field, option]) => {
        const value: unknown = command.getOptionValue(keyOf(option))
        return value === undefined ? [] : [[field, value]]
      }),
    ])
    const input = checkTyped(verb, { ...typed, ...given }, nameOf)
    const names: Record<string, string> = {}
    let address = path
    for (const { name, option, find } of places) {
      const value: string | undefined =
        option === undefined ? argument(name) : command.getOptionValue(keyOf(option[0]))
      const before = address.slice(0, address.indexOf(`{${name}}`))
      const one = find ? await find(context, value, before, argument) : { id: value ?? '', name: value ?? '' }
      names[name] = one.name
      address = address.replace(`{${name}}`, () => encodeURIComponent(one.id))
    }
    const answer = await (method === 'get'
      ? context.read(verb.output, 'GET', withQuery(address, input))
      : context.read(
          verb.output,
          method.toUpperCase(),
          address,
          Object.keys(verb.input.shape).length === 0 ? undefined : input,
        ))
    context.print(view.json?.(answer) ?? answer, () => print(answer, input, names))
  })
}

/** The fields that are options, with the option as commander reads it and its help. */
function optionsOf(
  verb: Verb,
  { only, positional = [] }: CommandView<z.ZodObject, z.ZodType<object | null>>,
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
  { words, usual }: { words: string; usual: unknown },
): void {
  if (schema === undefined) return
  const inner = valueOf(schema)
  const fallback = usual ?? (schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined)
  if (fallback === undefined && !z.safeParse(schema, undefined).success) command.requiredOption(option, words)
  else if (inner instanceof z.ZodNumber) {
    if (typeof fallback === 'number') command.option(option, words, numberOrText, fallback)
    else command.option(option, words, numberOrText)
  } else command.option(option, words, typeof fallback === 'string' ? fallback : undefined)
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
