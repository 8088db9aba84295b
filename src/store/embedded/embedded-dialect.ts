import { messages, protocol } from '@electric-sql/pglite'
import {
  AbortedTransactionError,
  PGliteDialect,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely'
import { sqlState } from '../store-trouble.ts'
import type { Answers, Engine } from './engine.ts'

const { serialize } = protocol

/**
 * The most statements that stay prepared. The least recently used ones are dropped, so that statements built from
 * lists of changing length cannot fill the memory.
 */
const mostKept = 200
/** Longer statements, mostly those with many rows, are hardly ever repeated. */
const longestKept = 4000
/**
 * Rows. A plan depends on the sizes of tables when it was made, and the engine does not update it when they grow, so it
 * is made again after as many were written.
 */
const mostWritten = 1000

/** A statement that the engine has parsed. */
interface Prepared {
  name: string
  parameters: readonly number[]
  columns: readonly { name: string; dataTypeID: number }[]
  /** The rows that were written before it. */
  written: number
}

/**
 * Kysely on an embedded instance. PGlite's own `query` sends six messages for each statement and has it parsed and
 * planned each time. Here it is prepared once, and from then on it is one message.
 */
export function embeddedDialect(engine: Engine): Dialect {
  const { createAdapter, createIntrospector, createQueryCompiler } = PGliteDialect.prototype
  return { createAdapter, createIntrospector, createQueryCompiler, createDriver: () => openDriver(engine) }
}

function openDriver(engine: Engine): Driver {
  const { session, statement, waits } = engine
  // A transaction begins with its first statement, in one message.
  let beginning: Uint8Array[] = []
  const send: Engine['send'] = (...parts) => engine.send(...beginning.splice(0), ...parts)
  const execute = createExecute({ ...engine, send })
  const connection: DatabaseConnection = {
    executeQuery: (query) => statement.runExclusive(() => execute(query)),
    streamQuery: () => {
      throw new Error('The embedded database does not stream rows')
    },
  }
  let release: (() => void) | undefined
  return {
    init: () => Promise.resolve(),
    // One holder at a time, so that no statement of the queue gets into another transaction.
    async acquireConnection() {
      const start = performance.now()
      release = await session.acquire()
      waits.note(performance.now() - start)
      return connection
    },
    async releaseConnection() {
      release?.()
    },
    async beginTransaction() {
      beginning = [serialize.query('begin')]
    },
    async commitTransaction() {
      if (beginning.splice(0).length > 0) return
      const answers = await send(serialize.query('commit'))
      if (commandOf(answers) === 'ROLLBACK') throw new AbortedTransactionError()
    },
    async rollbackTransaction() {
      if (beginning.splice(0).length > 0) return
      await send(serialize.query('rollback'))
    },
    // The engine is closed by whoever has opened it.
    destroy: () => Promise.resolve(),
  }
}

function createExecute({ send, serializers, parsers }: Engine) {
  const kept = new Map<string, Prepared>()
  let made = 0
  let written = 0

  async function prepare(text: string): Promise<Prepared> {
    const name = text.length <= longestKept && isQuery(text) ? `kept_${++made}` : ''
    const answers = await send(
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    )
    const parameters = answers.find((one) => one instanceof messages.ParameterDescriptionMessage)
    const columns = answers.find((one) => one instanceof messages.RowDescriptionMessage)
    return { name, parameters: parameters?.dataTypeIDs ?? [], columns: columns?.fields ?? [], written }
  }

  async function forget(text: string, { name }: Prepared): Promise<void> {
    kept.delete(text)
    await send(serialize.close({ type: 'S', name }), serialize.sync())
  }

  /** Moves it to the end, so that the first one is the least recently used. */
  async function keep(text: string, statement: Prepared): Promise<void> {
    kept.delete(text)
    kept.set(text, statement)
    const [oldest] = kept
    if (oldest && kept.size > mostKept) await forget(...oldest)
  }

  function encode(value: unknown, type: number | undefined): string | Uint8Array | null {
    if (value === null || value === undefined) return null
    // Sends bytes as they are, instead of two digits for each.
    if (value instanceof Uint8Array) return value
    const serializer = type === undefined ? undefined : serializers[type]
    if (serializer) return serializer(value)
    return typeof value === 'object' ? JSON.stringify(value) : `${value as string | number | bigint}`
  }

  function rowOf(values: readonly (string | null)[], columns: Prepared['columns']): object {
    return Object.fromEntries(
      columns.map(({ name, dataTypeID }, at) => {
        const text = values[at] ?? null
        const parser = text === null ? undefined : parsers[dataTypeID]
        return [name, parser && text !== null ? parser(text, dataTypeID) : text]
      }),
    )
  }

  return async <Row>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
    const known = kept.get(text)
    if (known && written - known.written >= mostWritten) await forget(text, known)
    const statement = kept.get(text) ?? (await prepare(text))
    const { name, columns } = statement
    const values = parameters.map((value, at) => encode(value, statement.parameters[at]))
    if (name !== '') await keep(text, statement)
    try {
      const answers = await send(
        serialize.bind({ statement: name, values }),
        serialize.execute({}),
        serialize.sync(),
      )
      const affected = /^(?:INSERT|UPDATE|DELETE|MERGE)\b.* (\d+)$/.exec(commandOf(answers))?.[1]
      written += Number(affected ?? 0)
      const rows = answers.flatMap((one) =>
        one instanceof messages.DataRowMessage ? [rowOf(one.fields, columns) as Row] : [],
      )
      return { rows, ...(affected !== undefined && { numAffectedRows: BigInt(affected) }) }
    } catch (error) {
      // A column of the result has changed.
      if (sqlState(error) === '0A000') await forget(text, statement)
      throw error
    }
  }
}

function isQuery(text: string): boolean {
  return /^\s*(?:select|insert|update|delete|with)\b/i.test(text)
}

function commandOf(answers: Answers): string {
  return answers.findLast((one) => one instanceof messages.CommandCompleteMessage)?.text ?? ''
}
