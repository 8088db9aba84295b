import { z } from '@hono/zod-openapi'
import type { Command } from 'commander'
import type { CommandContext } from '../cli/command-context.ts'
import type { Answer } from '../cli/read-answer.ts'
import type { Lines } from '../cli/terminal-text.ts'
import { checkTyped, valueOf } from './read-fields.ts'
import type { Address } from '../api/description/operation.ts'
import type { Verb } from './verb.ts'
import '../lib/text/rule-words.ts'

interface CommandView {
  name: string
  description: string
}

/**
 * A command that does what a verb does on the running server.
 * @param print what people read of the answer
 */
export function addVerbCommand<Input extends z.ZodObject, Output extends z.ZodType<object>>(
  group: Command,
  open: (command: Command) => CommandContext,
  verb: Verb<Address, Input, Output>,
  { name, description }: CommandView,
  print: (answer: Answer<Output>) => Lines,
): void {
  const [method = '', path = ''] = verb.address.split(' ')
  const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, place = '']) => place)
  const command = group
    .command([name, ...places.map((place) => `<${place}>`)].join(' '))
    .description(description)
  for (const [field, { option, help = '' }] of Object.entries(verb.fields)) {
    if (option === undefined) continue
    const schema = verb.input.shape[field]
    const isNumber = schema !== undefined && valueOf(schema) instanceof z.ZodNumber
    if (schema !== undefined && !z.safeParse(schema, undefined).success) command.requiredOption(option, help)
    // What is no number stays text, which the rule of the field refuses.
    else if (isNumber) command.option(option, help, (text) => (text.trim() === '' ? text : numberOr(text)))
    else command.option(option, help)
  }
  command.action(async () => {
    const context = open(command)
    const typed = Object.fromEntries(
      Object.entries(verb.fields).flatMap(([field, { option = '' }]) => {
        const value: unknown = command.getOptionValue(keyOf(option))
        return option === '' || value === undefined ? [] : [[field, value]]
      }),
    )
    const input = checkTyped(verb, typed, (field) => flagOf(verb.fields[field]?.option ?? field))
    const address = places.reduce(
      (rest, place, index) => rest.replace(`{${place}}`, encodeURIComponent(command.args[index] ?? '')),
      path,
    )
    const answer = await (method === 'get'
      ? context.read(verb.output, 'GET', withQuery(address, input))
      : context.read(verb.output, method.toUpperCase(), address, input))
    context.print(answer, () => print(answer))
  })
}

function numberOr(text: string): number | string {
  const value = Number(text)
  return Number.isFinite(value) ? value : text
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
