import { z } from '@hono/zod-openapi'
import type { Command } from 'commander'
import { resolveProject, type CommandContext } from '../cli/command-context.ts'
import type { Answer, Open } from '../cli/read-answer.ts'
import type { Lines } from '../cli/terminal-text.ts'
import { numberOrText } from '../lib/amount.ts'
import { checkTyped, inWordsOf, valueOf, type NameOf } from './read-fields.ts'
import type { Address } from '../api/description/operation.ts'
import { placesOf, type NamesIn, type Verb } from './verb.ts'
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
  /** What its arguments are, for its help. */
  argumentHelp?: Readonly<Record<string, string>>
  /** Input that the command makes of its arguments itself, by their names. It is checked like what is typed. */
  takes?(args: Readonly<Record<string, string>>): Record<string, unknown>
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

/** The same, for commands whose argument it is. */
export const projectArgument: Record<string, Place> = {
  domain: { find: async (context, value) => named(await resolveProject(context, value), 'domain') },
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
  const { usage, description, positional = [], given = {}, usual = {}, argumentHelp = {}, takes } = view
  const { project, others } = placesOf(verb.address)
  const places = [project ?? [], others].flat().map((name) => ({ name, ...found[name] }))
  const command = group.command(usage).description(description)
  for (const [name, help] of Object.entries(argumentHelp)) command.argument(name, help)
  for (const { option } of places) if (option !== undefined) command.option(...option)
  const options = optionsOf(verb, view)
  for (const [field, option, words] of options)
    addOption(command, verb.input.shape[field], option, { words, usual: usual[field] })
  const args = [...places.flatMap(({ name, option }) => (option === undefined ? [name] : [])), ...positional]
  const argument = (name: string): string | undefined => command.args[args.indexOf(name)]
  const nameOf: NameOf = (words, field) =>
    positional.includes(field)
      ? `<${command.registeredArguments[args.lastIndexOf(field)]?.name() ?? field}>`
      : flagOf(words, field)
  command.action(async () => {
    const context = open(command)
    const typed = Object.fromEntries([
      ...positional.map((field) => [field, command.args[args.lastIndexOf(field)]]),
      ...options.flatMap(([field, option]) => {
        const value: unknown = command.getOptionValue(keyOf(option))
        return value === undefined ? [] : [[field, value]]
      }),
    ])
    const named = command.registeredArguments.map((one, at) => [one.name(), command.args[at] ?? ''] as const)
    const taken = takes?.(Object.fromEntries(named))
    const input = checkTyped(verb, { ...typed, ...taken, ...given }, nameOf)
    const ids: Record<string, string> = {}
    const names: Record<string, string> = {}
    for (const { name, option, find } of places) {
      const value: string | undefined =
        option === undefined ? argument(name) : command.getOptionValue(keyOf(option[0]))
      const before = pathOf(verb, ids).split('{')[0] ?? ''
      const one = find ? await find(context, value, before, argument) : { id: value ?? '', name: value ?? '' }
      ids[name] = one.id
      names[name] = one.name
    }
    const answer = await send(context, verb, { ids, input, nameOf })
    context.print(view.json?.(answer) ?? answer, () => print(answer, input, names))
  })
}

/**
 * Adds the options of a verb to a command that does more than the verb.
 * @param only the fields that are options; by default all that have one
 * @returns what was typed of them, for `ask`, which checks it
 */
export function verbOptions<Input extends z.ZodObject>(
  command: Command,
  verb: Verb<Address, Input>,
  only?: readonly Field<Input>[],
): () => Partial<z.input<Input>> {
  const options = optionsOf(verb, only === undefined ? {} : { only })
  for (const [field, option, words] of options)
    addOption(command, verb.input.shape[field], option, { words, usual: undefined })
  return () => {
    const typed = options.map(([field, option]) => [field, command.getOptionValue(keyOf(option))] as const)
    return Object.fromEntries(typed.filter(([, value]) => value !== undefined)) as Partial<z.input<Input>>
  }
}

/**
 * Does what a verb does on the running server, for commands that do more than that.
 * @param given its input, which is checked here, and what its path names
 * @throws AppError `invalid`, naming options, and the errors of `read`
 */
export async function ask<
  Place extends Address,
  Input extends z.ZodObject,
  Output extends z.ZodType<object | null>,
>(
  context: Pick<CommandContext, 'read'>,
  verb: Verb<Place, Input, Output>,
  given: object & NamesIn<Place> & (keyof Input['shape'] extends never ? unknown : Open<z.input<Input>>),
): Promise<Answer<Output>> {
  const { project, others } = placesOf(verb.address)
  const places = new Set([project ?? [], others].flat())
  const named: [string, unknown][] = Object.entries(given)
  const all = named.filter(([, value]) => value !== undefined)
  const ids = Object.fromEntries(
    all.flatMap(([name, value]) => (places.has(name) ? [[name, String(value)] as const] : [])),
  )
  const typed = Object.fromEntries(all.filter(([name]) => !places.has(name)))
  return send(context, verb, { ids, input: checkTyped(verb, typed, flagOf), nameOf: flagOf })
}

async function send<Output extends z.ZodType<object | null>>(
  context: Pick<CommandContext, 'read'>,
  verb: Verb<Address, z.ZodObject, Output>,
  { ids, input, nameOf }: { ids: Record<string, string>; input: Record<string, unknown>; nameOf: NameOf },
): Promise<Answer<Output>> {
  const [method = ''] = verb.address.split(' ')
  const isQuery = method === 'get' || verb.asQuery === true
  const path = isQuery ? withQuery(pathOf(verb, ids), input) : pathOf(verb, ids)
  const body = isQuery || Object.keys(verb.input.shape).length === 0 ? undefined : input
  try {
    return await context.read(verb.output, method.toUpperCase(), path, body)
  } catch (error) {
    throw inWordsOf(verb, error, nameOf)
  }
}

/** The path of a verb, in which parameters that are not known yet stay. */
function pathOf({ address }: Pick<Verb, 'address'>, ids: Readonly<Record<string, string>>): string {
  return address
    .slice(address.indexOf('/'))
    .replaceAll(/\{(\w+)\}/g, (place, name: string) =>
      ids[name] === undefined ? place : encodeURIComponent(ids[name]),
    )
}

/** The fields that are options, with the option as commander reads it and its help. */
function optionsOf(
  verb: Verb,
  { only, positional = [] }: { only?: readonly string[]; positional?: readonly string[] },
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

/** The option of a field: `--expires` of `--expires <days>`. */
const flagOf: NameOf = (words, field) => firstWord(words?.option ?? field)

function firstWord(option: string): string {
  return option.split(' ')[0] ?? option
}

/** `expires` of `--expires <days>`, as commander keeps its value. */
function keyOf(option: string): string {
  return firstWord(option)
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
