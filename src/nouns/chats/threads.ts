import type { Reader, Tx } from '../../store/database.ts'

/** A thread in which the bot takes part. */
export interface ChatThread {
  chatId: string
  /** As `threadName` names it. */
  thread: string
  /** Of the conversation and the job. */
  projectId: string
  /** The member who began it. Others have to mention the bot. */
  starter: string
  /** The assistant's thread that it is about. */
  conversation: string | undefined
  jobId: string | undefined
  /** The event that gave the job its last work. */
  askedBy: string | undefined
  /** The message that shows how the job is. */
  progress: string | undefined
  /** The job's revision that this message shows. */
  shown: number | undefined
}

export async function findThread(
  reader: Reader,
  chatId: string,
  thread: string,
): Promise<ChatThread | undefined> {
  const row = await reader
    .selectFrom('chat_threads')
    .selectAll()
    .where('chat_id', '=', chatId)
    .where('thread', '=', thread)
    .executeTakeFirst()
  return row && toThread(row)
}

/** The thread, where what it is about is of a project: another one may have been chosen for its channel since. */
export function ifAbout(thread: ChatThread | undefined, projectId: string): ChatThread | undefined {
  return thread?.projectId === projectId ? thread : undefined
}

interface ThreadChange {
  projectId: string
  starter: string
  conversation?: string
  job?: { id: string; askedBy: string }
  /** A job that got no work here, and is not followed. */
  shows?: string
}

/** Notes what a thread is about. A job that got work is followed until its end. */
export async function saveThread(
  tx: Tx,
  { chatId, thread }: { chatId: string; thread: string },
  { projectId, starter, conversation, job, shows }: ThreadChange,
): Promise<void> {
  const moved = ifAbout(await findThread(tx, chatId, thread), projectId) === undefined
  const change = {
    ...(moved && { project_id: projectId, conversation: null, job_id: null, progress: null, shown: null }),
    ...(conversation !== undefined && { conversation }),
    ...(shows !== undefined && { job_id: shows }),
    ...(job && { job_id: job.id, asked_by: job.askedBy, settled: false }),
  }
  await tx
    .insertInto('chat_threads')
    .values({ chat_id: chatId, thread, project_id: projectId, starter, ...change })
    .onConflict((conflict) =>
      Object.keys(change).length === 0
        ? conflict.doNothing()
        : conflict.columns(['chat_id', 'thread']).doUpdateSet(change),
    )
    .execute()
}

/** Threads whose jobs have come further than their messages show. */
export async function listFollowed(reader: Reader, most: number): Promise<ChatThread[]> {
  const rows = await reader
    .selectFrom('chat_threads')
    .innerJoin('jobs', 'jobs.id', 'chat_threads.job_id')
    .selectAll('chat_threads')
    .where('settled', '=', false)
    .where(({ eb, ref }) => eb.or([eb('shown', 'is', null), eb('shown', '<>', ref('jobs.revision'))]))
    .orderBy('chat_threads.created_at')
    .limit(most)
    .execute()
  return rows.map(toThread)
}

export async function noteProgress(
  tx: Tx,
  { chatId, thread }: Pick<ChatThread, 'chatId' | 'thread'>,
  { progress, shown, settled }: { progress: string | undefined; shown: number; settled: boolean },
): Promise<void> {
  await tx
    .updateTable('chat_threads')
    .set({ progress: progress ?? null, shown, settled })
    .where('chat_id', '=', chatId)
    .where('thread', '=', thread)
    .execute()
}

interface ThreadRow {
  chat_id: string
  thread: string
  project_id: string
  starter: string
  conversation: string | null
  job_id: string | null
  asked_by: string | null
  progress: string | null
  shown: number | null
}

function toThread(row: ThreadRow): ChatThread {
  return {
    chatId: row.chat_id,
    thread: row.thread,
    projectId: row.project_id,
    starter: row.starter,
    conversation: row.conversation ?? undefined,
    jobId: row.job_id ?? undefined,
    askedBy: row.asked_by ?? undefined,
    progress: row.progress ?? undefined,
    shown: row.shown ?? undefined,
  }
}
