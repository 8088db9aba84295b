import { isRecord } from '../../lib/is-record.ts'
import { type Description, type Place } from './description.ts'
import { keysOf, lineOf } from './operations.ts'
import { writeCode, writeLine } from './write-text.ts'

/** What may still be written of one operation: descriptions can refer to themselves, and grow without end. */
export interface Budget {
  fields: number
  schemas: number
}

const maxDepth = 5
const maxValues = 30
const maxVariants = 12

/** The fields of a schema as a nested list of Markdown, and what is said of the schema itself. */
export function writeFields(
  description: Description,
  schema: Place | undefined,
  { budget, side }: { budget: Budget; side: 'request' | 'response' },
): string[] {
  const { child, elements } = description

  const lines = (place: Place | undefined, depth: number, within: readonly string[]): string[] => {
    const { fields, variants } = collect(place, within)
    const indent = '  '.repeat(depth)
    const rows: string[] = []
    for (const [name, { place: field, required }] of fields) {
      if (field && isLeftOut(field)) continue
      if (budget.fields-- <= 0) return [...rows, `${indent}- … (the description has more fields)`]
      rows.push(`${indent}- ${writeCode(name)} ${factsOf(field, required)}`)
      rows.push(...inside(field, depth + 1, within))
    }
    for (const [index, variant] of variants.entries()) {
      const title = lineOf(child(variant, 'title')?.value) ?? nameOf(variant)
      const own = inside(variant, depth + 1, within)
      // The type of the field says what plain values it may have.
      if (own.length === 0 && title === undefined && sayingsOf(variant) === '') continue
      if (budget.fields-- <= 0) break
      const name = writeLine(title ?? `form ${index + 1}`)
      rows.push(`${indent}- ${index === 0 ? 'Either' : 'Or'} ${name}: ${factsOf(variant, false)}`, ...own)
    }
    return rows
  }
  const inside = (place: Place | undefined, depth: number, within: readonly string[]): string[] => {
    const inner = elementOf(place)
    const reference = inner?.reference
    if (inner === undefined || depth > maxDepth) return []
    if (reference !== undefined && within.includes(reference)) return []
    return lines(inner, depth, reference === undefined ? within : [...within, reference])
  }
  /** What a list or a map holds, and any other schema itself. */
  const elementOf = (place: Place | undefined): Place | undefined => {
    let inner = place
    for (let count = 0; count < maxDepth; count++) {
      const next = child(inner, 'items') ?? recordOf(child(inner, 'additionalProperties'))
      if (next === undefined || keysOf(child(inner, 'properties')).length > 0) break
      inner = next
    }
    return inner
  }
  const isLeftOut = (field: Place): boolean =>
    child(field, side === 'request' ? 'readOnly' : 'writeOnly')?.value === true

  /** The fields of a schema and of all that `allOf` adds to it. */
  const collect = (place: Place | undefined, within: readonly string[]) => {
    const fields = new Map<string, { place: Place | undefined; required: boolean }>()
    const required = new Set<unknown>()
    const variants: Place[] = []
    const add = (part: Place | undefined, depth: number): void => {
      if (part === undefined || depth > maxDepth || budget.schemas-- <= 0) return
      for (const { value } of elements(child(part, 'required'))) required.add(value)
      const properties = child(part, 'properties')
      for (const name of keysOf(properties))
        fields.set(name, { place: child(properties, name), required: false })
      for (const one of elements(child(part, 'allOf'))) add(one, depth + 1)
      for (const kind of ['oneOf', 'anyOf'])
        variants.push(...elements(child(part, kind)).filter((one) => !isNull(one)))
    }
    add(place, 0)
    // One form beside null is that form.
    if (variants.length === 1 && fields.size === 0 && within.length <= maxDepth)
      add(elementOf(variants.pop()), 1)
    for (const [name, field] of fields) field.required = required.has(name)
    return { fields, variants: variants.slice(0, maxVariants) }
  }
  const isNull = (place: Place): boolean => child(place, 'type')?.value === 'null'

  /** `string, required: The name. One of …`. */
  const factsOf = (place: Place | undefined, required: boolean): string => {
    const is = (name: string): boolean => child(place, name)?.value === true
    const marks = [
      typeOf(place, 0),
      ...(required ? ['required'] : []),
      ...(is('readOnly') ? ['read-only'] : []),
      ...(is('deprecated') ? ['deprecated'] : []),
    ]
    return [marks.join(', '), sayingsOf(place)].filter((part) => part !== '').join(': ')
  }
  /** The description, the values and the bounds of a schema. */
  const sayingsOf = (place: Place | undefined): string => {
    const value = (name: string): unknown => child(place, name)?.value
    const list = child(place, 'enum') ?? child(child(place, 'items'), 'enum')
    const values = Array.isArray(list?.value) ? list.value.slice(0, maxValues) : []
    const bounds = boundNames.flatMap(([name, text]) =>
      value(name) === undefined || isRecord(value(name)) ? [] : [`${text} ${writeCode(value(name))}.`],
    )
    return [
      writeLine(value('description')),
      values.length > 0 ? `One of ${values.map(writeCode).join(', ')}.` : '',
      ...bounds,
    ]
      .filter((part) => part !== '')
      .join(' ')
  }
  /** `array of User`, `string (date-time) or null`. */
  const typeOf = (place: Place | undefined, depth: number): string => {
    if (place === undefined || depth > maxDepth) return 'any'
    const type = child(place, 'type')?.value
    const typeNames = (Array.isArray(type) ? type : [type])
      .filter((one) => typeof one === 'string')
      .map(writeLine)
    const types = typeNames.filter((one) => one !== 'null')
    const isNullable = types.length < typeNames.length || child(place, 'nullable')?.value === true
    if (types.length === 0 && typeNames.length > 0) return 'null'
    const items = child(place, 'items')
    const values = recordOf(child(place, 'additionalProperties'))
    const format = lineOf(child(place, 'format')?.value)
    let name = types.join(' or ')
    if (items !== undefined && (name === 'array' || name === ''))
      name = `array of ${typeOf(items, depth + 1)}`
    else if (values !== undefined && keysOf(child(place, 'properties')).length === 0)
      name = `map of ${typeOf(values, depth + 1)}`
    else if (name === 'object' || name === '')
      name = nameOf(place) ?? (name === '' ? kindOf(place, depth) : name)
    if (format !== undefined) name += ` (${writeLine(format)})`
    return isNullable ? `${name} or null` : name
  }
  const kindOf = (place: Place, depth: number): string => {
    if (child(place, 'properties') ?? child(place, 'allOf')) return 'object'
    const variants = child(place, 'oneOf') ?? child(place, 'anyOf')
    if (Array.isArray(variants?.value)) {
      const types = new Set(
        elements(variants)
          .slice(0, maxVariants)
          .map((one) => typeOf(one, depth + 4)),
      )
      return [...types].join(' or ')
    }
    const constant = child(place, 'const')?.value ?? listOf(child(place, 'enum')?.value)[0]
    return constant === undefined ? 'any' : typeof constant
  }

  const all = inside(schema, 0, [])
  if (all.length > 0) {
    const isList = elementOf(schema) !== schema
    return isList ? [`${typeOf(schema, 0)}:`, '', ...all] : all
  }
  return schema === undefined ? [] : [`- ${factsOf(schema, false)}`]

  function listOf(value: unknown): readonly unknown[] {
    return Array.isArray(value) ? value : []
  }
}

const boundNames: readonly (readonly [string, string])[] = [
  ['const', 'Always'],
  ['default', 'Default'],
  ['minimum', 'At least'],
  ['maximum', 'At most'],
  ['minLength', 'Minimum length'],
  ['maxLength', 'Maximum length'],
  ['maxItems', 'Maximum number of items'],
  ['pattern', 'Pattern'],
  ['example', 'Example'],
]

function recordOf(place: Place | undefined): Place | undefined {
  return isRecord(place?.value) ? place : undefined
}

/** The name of a schema: the last part of the reference to it. */
function nameOf({ reference }: Place): string | undefined {
  const name = reference?.slice(reference.lastIndexOf('/') + 1)
  return name === undefined || name === '' ? undefined : writeLine(name)
}
