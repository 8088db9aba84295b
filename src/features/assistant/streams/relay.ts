import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { AppError } from '../../../lib/errors.ts'
import { json, type Reader, type Store, type Tx } from '../../../store/database.ts'
import type { AskerColumn } from '../../../store/columns.ts'
import type { AnswerStream, ReadAnswer } from './answer-stream.ts'

/** The question that an answer belongs to. */
export interface StreamKey {
  projectId: string
  threadId: string
  n: number
}

/** An answer that this process holds. */
export interface HeldAnswer extends StreamKey {
  asker: AskerColumn
  stream: AnswerStream
  /** When somebody last read it at another process, in milliseconds. */
  wantedAt: number
  /** Stops the model. */
  stop(): void
  forget(): void
}

/**
 * Passes answers from the process that writes them to readers at other processes, by way of the database. Nothing is
 * written before such a reader asks for it, or an answer has ended without its reader.
 */
export interface Relay {
  /** Looks for an answer that another process writes, or has written and still holds. */
  find(
    projectId: string,
    id: string,
    mayRead: (threadId: string, asker: AskerColumn) => boolean,
  ): Promise<ReadAnswer | undefined>
  /** Begins to look for readers of the answers of this process. */
  watch(): void
  /** Writes an answer of this process for as long as readers want it. */
  publish(answer: HeldAnswer): void
  forget(answer: HeldAnswer): void
}

export interface RelayPorts {
  store: Store
  onError(error: unknown): void
  draining?: AbortSignal | undefined
}

/** Milliseconds between two looks for readers elsewhere, two writes, and two reads. */
const pauses = { look: 1000, write: 250, read: 250 }
/** Milliseconds that a process has to notice that an answer of its own is wanted. */
const longestWait = 6000

const diedText = 'The server stopped before this answer was complete. Ask again'
const drainingText = 'The server is restarting; send the message again in a moment'

/** @param held the answers of this process that readers may come back to */
export function createRelay({ store, onError, draining }: RelayPorts, held: () => HeldAnswer[]): Relay {
  const written = new Map<HeldAnswer, { pieces: number; parts: number; busy: boolean; ended: boolean }>()
  /** Names of answers that are being removed, which nobody is given any more. */
  const forgotten = new Set<string>()
  let watching = false

  const publish = async (answer: HeldAnswer): Promise<void> => {
    const state = written.get(answer) ?? { pieces: 0, parts: 0, busy: false, ended: false }
    if (state.busy || state.ended) return
    written.set(answer, state)
    state.busy = true
    try {
      do {
        const ended = answer.stream.ended()
        const text = answer.stream.pieces.slice(state.pieces).join('')
        const pieces = answer.stream.pieces.length
        await store.transaction((tx) => writePart(tx, answer, { part: state.parts, text, ended }))
        Object.assign(state, { pieces, ended, parts: state.parts + (text === '' ? 0 : 1) })
        if (!ended) await delay(pauses.write)
      } while (written.has(answer) && !state.ended && Date.now() - answer.wantedAt < longestWait)
    } catch (error) {
      onError(error)
    } finally {
      state.busy = false
      if (!written.has(answer)) remove(answer)
    }
  }
  const remove = (answer: HeldAnswer): void =>
    void store
      .transaction((tx) => deleteStream(tx, answer))
      .catch(onError)
      .finally(() => forgotten.delete(nameOf(answer)))

  const look = async (): Promise<void> => {
    const answers = new Map(held().map((answer) => [nameOf(answer), answer]))
    for (const row of await readWanted(store.db, [...answers.values()])) {
      const answer = answers.get(nameOf(row))
      if (row.delivered) answer?.forget()
      else if (answer) {
        answer.wantedAt = Date.now()
        void publish(answer)
      }
    }
  }

  return {
    watch() {
      if (watching) return
      watching = true
      const goOn = async (): Promise<void> => {
        while (held().length > 0) {
          await delay(pauses.look, undefined, { ref: false })
          await look().catch(onError)
        }
        watching = false
      }
      void goOn()
    },
    publish: (answer) => void publish(answer),
    forget(answer) {
      const state = written.get(answer)
      if (!state) return
      written.delete(answer)
      forgotten.add(nameOf(answer))
      // What is being written can be removed only afterwards.
      if (!state.busy) remove(answer)
    },
    async find(projectId, id, mayRead) {
      const key = await findQuestion(store.db, projectId, id)
      if (!key || forgotten.has(nameOf(key))) return undefined
      for (const late = Date.now() + longestWait; ;) {
        const state = await store.transaction((tx) => want(tx, key))
        if (!state || state.delivered) return undefined
        if (state.asker) {
          if (!mayRead(key.threadId, state.asker)) return undefined
          return (signal) => readParts({ store, draining }, key, signal)
        }
        if (draining?.aborted) return undefined
        if (Date.now() > late) break
        await delay(pauses.read)
      }
      // It ended meanwhile, or nobody writes it any more.
      if (!(await findQuestion(store.db, projectId, id))) return undefined
      return () => {
        throw new AppError('unavailable', diedText)
      }
    },
  }
}

async function* readParts(
  { store, draining }: Pick<RelayPorts, 'store' | 'draining'>,
  key: StreamKey,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  for (let part = 0; !signal.aborted;) {
    if (draining?.aborted) throw new AppError('unavailable', drainingText)
    const state = await store.transaction((tx) => want(tx, key))
    // Read after the state, so that an answer that has ended is complete.
    const texts = await readNewParts(store.db, key, part)
    part += texts.length
    if (texts.length > 0) yield texts.join('')
    if (state?.ended) {
      await store.transaction((tx) => markDelivered(tx, key))
      return
    }
    if (!state?.alive) throw new AppError('unavailable', diedText)
    await delay(pauses.read)
  }
}

function nameOf({ projectId, threadId, n }: StreamKey): string {
  return JSON.stringify([projectId, threadId, n])
}

/** The newest question of a thread or chat, unless its answer was recorded and nothing of it is kept. */
async function findQuestion(reader: Reader, projectId: string, id: string): Promise<StreamKey | undefined> {
  const { rows } = await sql<StreamKey & { answered: boolean; kept: boolean }>`
    select question.project_id as "projectId", question.thread_id as "threadId", question.n,
      answer.n is not null as answered, stream.asker is not null as kept
    from messages question
    left join messages answer on answer.project_id = question.project_id and answer.thread_id = question.thread_id
      and answer.n = question.n + 1
    left join answer_streams stream on stream.project_id = question.project_id
      and stream.thread_id = question.thread_id and stream.n = question.n
    where question.project_id = ${projectId} and (question.thread_id = ${id} or question.chat_id = ${id})
      and question.chat_id is not null and question.created_at > now() - interval '5 minutes'
    order by question.created_at desc limit 1
  `.execute(reader)
  const [row] = rows
  return row && (row.kept || !row.answered) ? row : undefined
}

interface StreamState {
  asker: AskerColumn | null
  ended: boolean
  delivered: boolean
  /** Whether its process has written something lately. */
  alive: boolean | null
}

/** Says that a reader waits for more. @returns undefined when the question was deleted */
async function want(tx: Tx, { projectId, threadId, n }: StreamKey): Promise<StreamState | undefined> {
  const { rows } = await sql<StreamState>`
    insert into answer_streams (project_id, thread_id, n)
    select project_id, thread_id, n from messages
    where project_id = ${projectId} and thread_id = ${threadId} and n = ${n}
    on conflict (project_id, thread_id, n) do update set wanted_at = now()
    returning asker, ended, delivered, written_at > now() - interval '10 seconds' as alive
  `.execute(tx)
  return rows[0]
}

async function readNewParts(reader: Reader, key: StreamKey, from: number): Promise<string[]> {
  const rows = await reader
    .selectFrom('answer_stream_parts')
    .select('text')
    .where('project_id', '=', key.projectId)
    .where('thread_id', '=', key.threadId)
    .where('n', '=', key.n)
    .where('part', '>=', from)
    .orderBy('part')
    .execute()
  return rows.map(({ text }) => text)
}

/** Those of the answers that somebody waits for elsewhere, or has read to the end. */
async function readWanted(
  reader: Reader,
  answers: StreamKey[],
): Promise<(StreamKey & { delivered: boolean })[]> {
  const { rows } = await sql<StreamKey & { delivered: boolean }>`
    select project_id as "projectId", thread_id as "threadId", n, delivered from answer_streams
    where (project_id, thread_id, n) in (
      select * from unnest(
        ${answers.map(({ projectId }) => projectId)}::text[],
        ${answers.map(({ threadId }) => threadId)}::text[],
        ${answers.map(({ n }) => n)}::int[]
      )
    ) and (delivered or wanted_at > now() - interval '5 seconds')
  `.execute(reader)
  return rows
}

async function writePart(
  tx: Tx,
  { projectId, threadId, n, asker }: HeldAnswer,
  { part, text, ended }: { part: number; text: string; ended: boolean },
): Promise<void> {
  const { rows } = await sql`
    insert into answer_streams (project_id, thread_id, n, asker, written_at, ended)
    select project_id, thread_id, n, ${json(asker)}, now(), ${ended} from messages
    where project_id = ${projectId} and thread_id = ${threadId} and n = ${n}
    on conflict (project_id, thread_id, n)
      do update set asker = excluded.asker, written_at = excluded.written_at, ended = excluded.ended
    returning n
  `.execute(tx)
  // A question that was deleted meanwhile stays deleted.
  if (rows.length === 0 || text === '') return
  await tx
    .insertInto('answer_stream_parts')
    .values({ project_id: projectId, thread_id: threadId, n, part, text })
    .execute()
}

async function markDelivered(tx: Tx, key: StreamKey): Promise<void> {
  await tx
    .updateTable('answer_streams')
    .set({ delivered: true })
    .where('project_id', '=', key.projectId)
    .where('thread_id', '=', key.threadId)
    .where('n', '=', key.n)
    .execute()
}

async function deleteStream(tx: Tx, key: StreamKey): Promise<void> {
  await tx
    .deleteFrom('answer_streams')
    .where('project_id', '=', key.projectId)
    .where('thread_id', '=', key.threadId)
    .where('n', '=', key.n)
    .execute()
}

/** Deletes what processes have left behind that died. */
export async function deleteOldStreams(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('answer_streams')
    .where('wanted_at', '<', sql<Date>`now() - interval '10 minutes'`)
    .execute()
}
