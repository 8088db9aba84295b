import { isRecord } from '../is-record.ts'
import { jsonOf } from './json-of.ts'

export interface WrittenCall {
  name: string
  input: Record<string, unknown>
}

const mostObjects = 20

/** What is read of a text, in characters, and how many calls. */
const usual = { longest: 8000, most: 4 }

/**
 * The calls that a model wrote as text, in whatever form: as JSON with name and arguments, as a name before JSON, with
 * parameters in tags, or as in a program.
 * @param offered names of the tools that there are; the others are found only as JSON
 */
export function parseCalls(
  text: string,
  offered: readonly string[],
  { longest, most } = usual,
): WrittenCall[] {
  const plain = text.slice(0, longest)
  const objects = objectsIn(plain)
  const complete = objects.flatMap(({ value }) => callsIn(value)).slice(0, most)
  if (complete.length > 0) return complete
  const named = firstName(plain, offered)
  if (named === undefined) return []
  const { name, end } = named
  const input =
    objects.find(({ at }) => at >= end)?.value ?? taggedIn(plain.slice(end)) ?? writtenIn(plain.slice(end))
  return isRecord(input) ? [{ name, input }] : []
}

function callsIn(value: unknown): WrittenCall[] {
  if (Array.isArray(value)) return value.flatMap(callsIn)
  if (!isRecord(value)) return []
  if (Array.isArray(value['tool_calls'])) return callsIn(value['tool_calls'])
  if (isRecord(value['function'])) return callsIn(value['function'])
  const name = ['name', 'tool', 'tool_name', 'function', 'action', 'recipient_name']
    .map((key) => value[key])
    .find((one) => typeof one === 'string')
  const callInput = ['arguments', 'parameters', 'input', 'args', 'params', 'action_input', 'tool_input']
    .map((key) => value[key])
    .find((one) => one !== undefined)
  const input: unknown = typeof callInput === 'string' ? jsonOf(callInput) : callInput
  if (typeof name !== 'string' || !isRecord(input)) return []
  return [{ name: name.replace(/^(?:functions|tools|default_api)\./, ''), input }]
}

/** The values in a text that are JSON, outermost first. */
function objectsIn(text: string): { at: number; value: unknown }[] {
  const objects: { at: number; value: unknown }[] = []
  let tries = 0
  for (let at = text.indexOf('{'); at >= 0 && tries < mostObjects; tries++) {
    const end = endOfObject(text, at)
    const value = jsonOf(text.slice(at, end))
    if (value !== undefined) objects.push({ at, value })
    at = text.indexOf('{', value === undefined ? at + 1 : end)
  }
  return objects
}

function endOfObject(text: string, start: number): number {
  let depth = 0
  let isText = false
  for (let at = start; at < text.length; at++) {
    const sign = text[at]
    if (isText && sign === '\\') at++
    else if (sign === '"') isText = !isText
    else if (!isText && sign === '{') depth++
    else if (!isText && sign === '}' && --depth === 0) return at + 1
  }
  return text.length
}

function firstName(text: string, offered: readonly string[]): { name: string; end: number } | undefined {
  const places = offered.flatMap((name) => {
    const at = text.search(new RegExp(`(?<![\\w-])${name}(?![\\w-])`))
    return at < 0 ? [] : [{ name, end: at + name.length, at }]
  })
  return places.sort((one, other) => one.at - other.at)[0]
}

const inTags =
  /<(?:parameter=|parameter name=|param name=)["']?(\w{1,40})["']?>([^]{0,2000}?)<\/|<arg_key>(\w{1,40})<\/arg_key>\s{0,9}<arg_value>([^]{0,2000}?)<\/arg_value>|<(query|path)>([^]{0,2000}?)<\//g

function taggedIn(text: string): Record<string, unknown> | undefined {
  const parameters = [...text.matchAll(inTags)].map((match): [string, string] => [
    match[1] ?? match[3] ?? match[5] ?? '',
    (match[2] ?? match[4] ?? match[6] ?? '').trim(),
  ])
  return parameters.length === 0 ? undefined : Object.fromEntries(parameters)
}

/** `(query="x")`, and `("x")`, which has only one meaning. */
function writtenIn(text: string): Record<string, unknown> | undefined {
  const [, inside] = /^\(([^\n]{1,1000})\)/.exec(text) ?? []
  if (inside === undefined) return undefined
  const pairs = [...inside.matchAll(/(\w{1,40})\s?[=:]\s?(?:"([^"]{0,500})"|'([^']{0,500})')/g)]
  if (pairs.length > 0)
    return Object.fromEntries(pairs.map(([, name = '', one, other]) => [name, one ?? other ?? '']))
  const [, , only] = /^(["'])(.{1,500})\1$/.exec(inside.trim()) ?? []
  return only === undefined ? undefined : { query: only, path: only }
}
