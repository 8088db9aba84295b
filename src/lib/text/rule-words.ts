import { z } from 'zod'

// The validator's own words ("expected number, received NaN") are about the program, and every message of it may reach
// a person or a client. So it has these words in the whole process, wherever a rule has none of its own.
z.config({ customError: (issue) => ruleWords(issue) })

/** What a value breaks, as the rest of a sentence that begins with its name: “must be a string”. */
function ruleWords(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${kinds[issue.expected] ?? issue.expected}`
    case 'too_small':
      return sizeWords(issue.origin, issue.inclusive === false ? 'over' : 'at least', Number(issue.minimum))
    case 'too_big':
      return sizeWords(issue.origin, issue.inclusive === false ? 'under' : 'at most', Number(issue.maximum))
    case 'invalid_value':
      return `must be ${oneOf(issue.values.map((value) => JSON.stringify(value) ?? String(value)))}`
    case 'invalid_format':
      return formats[issue.format] ?? 'has an invalid format'
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.map((key) => JSON.stringify(key.slice(0, 100))).join(', ')}`
    case 'invalid_union':
      return unionWords(issue.errors)
    case 'invalid_key':
      return 'has a field with an invalid name'
    default:
      return 'is not valid'
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  nan: 'a number',
  int: 'an integer',
  bigint: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  tuple: 'an array',
  object: 'an object',
  record: 'an object',
  date: 'a date',
}

const formats: Readonly<Record<string, string>> = {
  datetime: 'must be a time in UTC, for example 2026-11-27T09:30:00Z',
  date: 'must be a date, for example 2026-11-27',
  url: 'must be a URL',
  email: 'must be an email address',
  uuid: 'must be a UUID',
}

function sizeWords(origin: string, word: string, size: number): string {
  const unit = { string: 'character', array: 'item', set: 'item', map: 'item', file: 'byte' }[origin]
  if (unit === undefined) return `must be ${word} ${size}`
  if (size === 1 && word === 'at least') return 'must not be empty'
  return `must hold ${word} ${size} ${unit}${size === 1 ? '' : 's'}`
}

function unionWords(branches: readonly (readonly z.core.$ZodIssue[])[]): string {
  const firsts = branches.map(([first]) => first)
  const whole = firsts.flatMap((first) => (first?.path.length === 0 ? [first.message] : []))
  const kindsOf = [...new Set(whole.flatMap((message) => /^must be (.+)$/.exec(message)?.[1] ?? []))]
  if (kindsOf.length > 0 && whole.length === firsts.length) return `must be ${oneOf(kindsOf)}`
  return 'has none of the possible forms'
}

function oneOf(values: readonly string[]): string {
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
}
