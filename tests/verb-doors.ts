import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from '@hono/zod-openapi'
import { Command } from 'commander'
import { contextOf, type CommandContext } from '../src/cli/command-context.ts'
import { numberOrText } from '../src/lib/amount.ts'
import { rights } from '../src/features/projects/rights.ts'
import { AppError } from '../src/lib/errors.ts'
import { valueOf } from '../src/verbs/read-fields.ts'
import type { VerbCommand } from '../src/verbs/terminal.ts'
import { placesOf, type Verb } from '../src/verbs/verb.ts'
import { everyEndpoint, pathOf, type Names } from './every-endpoint.ts'
import type { TestServer } from './server.ts'

const root = join(import.meta.dirname, '..')

/** What somebody gives for a field of a verb, and what its rule says of that; undefined: it is taken. */
interface Case {
  verb: Verb
  field: string
  text: string
  rule: string | undefined
}

/** What a door says to it; undefined: nothing of this field. */
type Refusal = string | undefined

interface Door {
  name: string
  verb: string
  fields: readonly string[]
  /** @returns the message that names this field, with its rule; undefined when none does */
  send(one: Case): Promise<Refusal>
}

/** Values on both sides of every limit of every field. */
function casesOf(verb: Verb): Case[] {
  return Object.entries(verb.input.shape).flatMap(([field, schema]) =>
    textsFor(schema).map((text) => {
      const read = z.safeParse(schema, valueFrom(schema, text))
      return { verb, field, text, rule: read.success ? undefined : (read.error.issues[0]?.message ?? '') }
    }),
  )
}

interface Limits {
  maxLength?: number
  minimum?: number
  maximum?: number
  enum?: unknown[]
  items?: Limits
}

function textsFor(schema: z.core.$ZodType): string[] {
  const limits = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Limits
  const { maxLength, minimum, maximum, enum: words } = limits.items ?? limits
  if (valueOf(schema) instanceof z.ZodBoolean) return []
  return [
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength), 'x'.repeat(maxLength + 1)]),
    ...[minimum, maximum].flatMap((limit) =>
      limit === undefined || Math.abs(limit) > 1e9 ? [] : [limit - 1, limit, limit + 1],
    ),
    ...(words ?? []),
    'nonsense',
    '0.5',
  ].map(String)
}

/** A value as JSON has it. */
function valueFrom(schema: z.core.$ZodType, text: string): unknown {
  const inner = valueOf(schema)
  if (inner instanceof z.ZodObject && text === '{}') return {}
  if (inner instanceof z.ZodArray) return [text]
  return inner instanceof z.ZodNumber ? numberOrText(text) : text
}

/** What the other fields that a verb needs are given. */
function sampleOf(verb: Verb, fields: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const schema = verb.input.shape[field]
      if (schema === undefined || z.safeParse(schema, undefined).success) return []
      // A folder that is none, so that nothing is asked of a host.
      const samples =
        field === 'location'
          ? ['/nowhere']
          : ['https://example.com/hooks', '1', '{}', 'xoxb-0-1-a', 'a'.repeat(40), 'a'.repeat(43)]
      const text = [...samples, ...textsFor(schema)].find(
        (one) => z.safeParse(schema, valueFrom(schema, one)).success,
      )
      return text === undefined ? [] : [[field, text] as const]
    }),
  )
}

async function modulesOf(name: string): Promise<unknown[][]> {
  const modules: unknown[][] = []
  for await (const file of glob(`src/nouns/**/${name}`, { cwd: root })) {
    const module: object = await import(join(root, file))
    modules.push(Object.values(module))
  }
  return modules
}

/** Every verb of the nouns. */
export async function everyVerb(): Promise<Verb[]> {
  return (await modulesOf('verbs.ts'))
    .flat()
    .filter(
      (one): one is Verb => typeof one === 'object' && one !== null && 'address' in one && 'fields' in one,
    )
}

type Add = (program: Command, open: (command: Command) => CommandContext) => void

/** Every command that is made of a verb, with what adds its group to a program. */
async function everyCommand(): Promise<{ command: VerbCommand; add: Add }[]> {
  return (await modulesOf('print.ts')).flatMap((exported) => {
    const adders = exported.filter(
      (one): one is Add => typeof one === 'function' && one.name.startsWith('add'),
    )
    const commands = exported
      .filter((one) => Array.isArray(one))
      .flat()
      .filter((one): one is VerbCommand => typeof one === 'object' && one !== null && 'view' in one)
    const add: Add = (program, open) => adders.forEach((one) => one(program, open))
    return commands.map((command) => ({ command, add }))
  })
}

interface Senders {
  server: TestServer
  operator: string
  person: { cookie: string; csrf: string }
  /** What the paths name. */
  names: Names
}

/** Sends every case to every door of its verb, and returns those where a door says something else than the rule. */
export async function unequalDoors(
  senders: Senders,
): Promise<{ wrong: unknown[]; tried: Map<string, number> }> {
  const doors = await everyDoor(senders)
  const wrong: unknown[] = []
  const tried = new Map<string, number>()
  for (const one of (await everyVerb()).flatMap(casesOf))
    for (const door of doors.filter(
      ({ verb, fields }) => verb === one.verb.name && fields.includes(one.field),
    )) {
      const said = await door.send(one)
      const [kind = ''] = door.name.split(' ')
      tried.set(kind, (tried.get(kind) ?? 0) + 1)
      if (one.rule === undefined ? said !== undefined : said?.includes(one.rule) !== true)
        wrong.push([door.name, one.field, one.text.slice(0, 40), one.rule, said])
    }
  return { wrong, tried }
}

/** Every door of every verb: its endpoint, the forms and the commands that are made of it. */
async function everyDoor(senders: Senders): Promise<Door[]> {
  const verbs = await everyVerb()
  return [
    ...verbs.map((verb) => atHttp(senders, verb)),
    ...everyEndpoint().flatMap(({ route, formOf, typed = [] }) => {
      const verb = verbs.find(({ name }) => name === formOf)
      // An object is typed as a line, which has a form of its own.
      const own = typed.filter(
        (field) => !(valueOf(verb?.input.shape[field] ?? z.string()) instanceof z.ZodObject),
      )
      return verb === undefined || own.length === 0 ? [] : [atForm(senders, verb, route.path, own)]
    }),
    ...(await everyCommand()).map((one) => atTerminal(senders, one)),
  ]
}

function atHttp({ server, operator, names }: Senders, verb: Verb): Door {
  const [method = '', path = ''] = verb.address.split(' ')
  const fields = Object.keys(verb.input.shape)
  const place = pathOf({ path, method, isPage: false, verb: verb.name, query: [] }, names)
  return {
    name: `HTTP ${verb.address}`,
    verb: verb.name,
    fields,
    async send({ field, text }) {
      const given = { ...sampleOf(verb, fields), [field]: text }
      const body = Object.fromEntries(
        Object.entries(given).map(([name, one]) => [
          name,
          valueFrom(verb.input.shape[name] ?? z.string(), one),
        ]),
      )
      const response = await (method === 'get' || verb.asQuery
        ? server.request(method.toUpperCase(), `${place}?${new URLSearchParams(given).toString()}`, {
            key: operator,
          })
        : server.request(method.toUpperCase(), place, { key: operator, body }))
      const isJson = response.headers.get('content-type')?.includes('json') === true
      const answer: unknown = isJson ? await response.json() : await response.text()
      const { error = '' } = z.looseObject({ error: z.string().optional() }).catch({}).parse(answer)
      return refusalOf(error, response.status === 400, `\`${field}\``, `\`${field}.0\``)
    },
  }
}

function atForm(
  { server, person, names }: Senders,
  verb: Verb,
  path: string,
  typed: readonly string[],
): Door {
  return {
    name: `form ${path}`,
    verb: verb.name,
    fields: typed,
    async send({ field, text }) {
      const response = await fetch(
        `${server.url}${pathOf({ path, method: 'POST', isPage: true, verb: verb.name, query: [] }, names)}`,
        {
          method: 'POST',
          redirect: 'manual',
          // Pages for signing in show nothing to those who are signed in.
          headers: {
            ...(rights[verb.name].anybody ? {} : { cookie: person.cookie }),
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: new URLSearchParams({
            csrf: person.csrf,
            link: names[path.slice(1)] ?? 'nothing',
            // A form reads a line of its own for each.
            questions: 'What is it?',
            ...sampleOf(verb, typed),
            [field]: text,
          }).toString(),
        },
      )
      const [, problem = ''] = /data-problem>([^<]*)</.exec(await response.text()) ?? []
      const message = problem.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
      const label = `“${verb.fields[field]?.label ?? field}”`
      return refusalOf(message, response.status === 400, label, `${label} (item 1)`)
    },
  }
}

function atTerminal({ server, names }: Senders, { command, add }: { command: VerbCommand; add: Add }): Door {
  const { verb, view } = command
  const { positional = [], only, usage } = view
  const options = Object.entries(verb.fields).flatMap(([field, { option }]) =>
    option === undefined || positional.includes(field) || only?.includes(field) === false
      ? []
      : [[field, option.split(' ')[0] ?? ''] as const],
  )
  const fields = [...positional, ...options.map(([field]) => field)]
  const [name = '', ...args] = usage.split(' ')
  const places = args.slice(0, args.length - positional.length)
  const flagOf = (field: string): string =>
    new Map(options).get(field) ?? `<${args[places.length + positional.indexOf(field)]?.slice(1, -1)}>`
  return {
    name: `command ${usage} of ${verb.name}`,
    verb: verb.name,
    fields,
    async send({ field, text }) {
      const given: Record<string, string> = { ...sampleOf(verb, fields), [field]: text }
      const program = new Command().exitOverride().option('--json')
      add(program, (one) => ({ ...contextOf(one, server.dataFolder), print: () => undefined }))
      const words = [
        ...pathTo(program, name),
        ...(placesOf(verb.address).project === undefined ? [] : [`--project=${names['domain']}`]),
        ...options.flatMap(([one, flag]) => (given[one] === undefined ? [] : [`${flag}=${given[one]}`])),
        '--',
        ...places.map(() => 'nothing'),
        ...positional.map((one) => given[one] ?? ''),
        ...Object.keys(view.argumentHelp ?? {}).map(() => '1'),
      ]
      try {
        await program.parseAsync(words, { from: 'user' })
        return undefined
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const flag = flagOf(field)
        return refusalOf(error.message, error.code === 'invalid', flag, `${flag} (item 1)`)
      }
    },
  }
}

/** The names that lead to a command, of whatever group. */
function pathTo(program: Command, name: string): string[] {
  const group = program.commands.find(({ commands }) => commands.some((one) => one.name() === name))
  return group === undefined ? [name] : [group.name(), name]
}

function refusalOf(message: string, isRefused: boolean, ...names: string[]): Refusal {
  return isRefused && names.some((name) => message.startsWith(`${name} `) || message.startsWith(`${name}: `))
    ? message
    : undefined
}
