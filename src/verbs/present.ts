import { z } from '@hono/zod-openapi'
import { isRecord } from '../lib/is-record.ts'

/** What becomes an answer: its times may be dates, and what is null in it may be absent. */
export type Recorded<Answer> = Answer extends string
  ? string extends Answer
    ? Answer | Date
    : Answer
  : Answer extends null
    ? null | undefined
    : Answer extends readonly (infer One)[]
      ? readonly Recorded<One>[]
      : Answer extends object
        ? RecordedFields<Answer>
        : Answer

type RecordedFields<Answer extends object> = {
  [Name in keyof Answer as null extends Answer[Name] ? never : Name]: Recorded<Answer[Name]>
} & {
  [Name in keyof Answer as null extends Answer[Name] ? Known<Name> : never]?:
    | Recorded<Answer[Name]>
    | undefined
}

/** Without the further fields that an answer may have. */
type Known<Name> = string extends Name ? never : Name

/** A record as an answer: the fields of the answer alone, times as text, and null for what is absent. */
export function present<Schema extends z.ZodType>(
  schema: Schema,
  record: Recorded<z.output<Schema>>,
): z.output<Schema> {
  return shaped(schema, record) as z.output<Schema>
}

function shaped(schema: z.core.$ZodType, value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (schema instanceof z.ZodNullable) return value == null ? null : shaped(schema.unwrap(), value)
  if (schema instanceof z.ZodOptional) return shaped(schema.unwrap(), value)
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((one: unknown) => shaped(schema.element, one))
  if (!isRecord(value)) return value
  if (schema instanceof z.ZodRecord) return withEach(value, (one) => shaped(schema.valueType, one))
  if (!(schema instanceof z.ZodObject)) return value
  const fields: Readonly<Record<string, z.core.$ZodType>> = schema.shape
  const { catchall } = schema.def
  const isOpen = catchall !== undefined && !(catchall instanceof z.ZodNever)
  return { ...(isOpen && value), ...withEach(fields, (field, name) => shaped(field, value[name])) }
}

/** The same fields with other values, without those that are undefined. */
function withEach<Value>(
  fields: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => unknown,
): Record<string, unknown> {
  const changed = Object.entries(fields).map(([name, value]) => [name, change(value, name)] as const)
  return Object.fromEntries(changed.filter(([, value]) => value !== undefined))
}
