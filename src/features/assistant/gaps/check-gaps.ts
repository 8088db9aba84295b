import { sql, type RawBuilder } from 'kysely'
import { endingSignal } from '../../../lib/ending-signal.ts'
import { newId } from '../../../lib/ids.ts'
import { json, type Reader } from '../../../store/database.ts'
import type { AnswerOutcomeColumn, ChangeColumn, ContextColumn } from '../../../store/columns.ts'
import { ask } from '../ask.ts'
import { answerOutcomes } from '../outcome.ts'
import type { AssistantPorts, AssistantProject } from '../ports.ts'
import { asAsked } from '../threads/kept-context.ts'
import { contextOf, textOf } from './gap-texts.ts'

/** Questions of a gap that are asked again. */
const mostAsked = 5
const pageSize = 5
/** Milliseconds for one answer. */
const longestAnswer = 180_000

export interface CheckPorts<Project extends AssistantProject> {
  assistant: AssistantPorts<Project>
  /** The project as it is now; undefined while its pages are still to be read again. */
  upToDate(projectId: string): Promise<Project | undefined>
  stopping: AbortSignal
}

interface DueCheck {
  gapId: string
  jobId: string
  changes: ChangeColumn[]
}

/** Gaps whose job's pull request was merged, and whose project was read since. */
export async function dueChecks(db: Reader, projectId: string): Promise<DueCheck[]> {
  const { rows } = await sql<DueCheck>`${dueChecksOf(sql`${projectId}`)} order by g.id`.execute(db)
  return rows
}

/** The same as a statement. */
export function dueChecksOf(projectId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select g.id as "gapId", j.id as "jobId", j.changes from gaps g
    join projects p on p.id = g.project_id and p.sync_state = 'ready'
    join lateral (select * from jobs where gap_id = g.id order by id desc limit 1) j on true
    where g.project_id = ${projectId} and g.checked_job is distinct from j.id
      and j.pull_request->>'state' = 'merged'
      and p.synced_at > (select max(created_at) from events where job_id = j.id and type = 'pull_request.merged')
  `
}

/**
 * Asks questions of gaps again whose page was merged, in the way of any other question, but without a thread, and without
 * being counted as questions. A gap is answered when most of them are, from a page that was changed.
 */
export async function checkGaps<Project extends AssistantProject>(
  { assistant, upToDate, stopping }: CheckPorts<Project>,
  projectId: string,
): Promise<void> {
  const { store } = assistant
  const due = await dueChecks(store.db, projectId)
  const project = due.length === 0 ? undefined : await upToDate(projectId)
  if (project === undefined) return
  for (const { gapId, jobId, changes } of due) {
    const pages = await addressesOf(assistant, project, changes)
    const results: { id: number; outcome: AnswerOutcomeColumn; cited: boolean }[] = []
    for (const { id, ...question } of await questionsToAsk(store.db, gapId)) {
      using asking = endingSignal({ signals: [stopping], milliseconds: longestAnswer })
      const { signal } = asking
      const { outcome, cited } = await askAgain(assistant, project, { ...question, signal })
      // What was asked so far is asked again by the next process.
      if (stopping.aborted) return
      results.push({ id, outcome, cited: cited.some((url) => pages.has(url)) })
    }
    const answered = results.filter(({ outcome, cited }) => outcome === 'answered' && cited).length
    const verdict = answered * 2 > results.length ? 'answered' : 'still_open'
    await store.transaction(async (tx) => {
      await sql`update gap_questions set check_outcome = null, check_cited = null where gap_id = ${gapId}`.execute(
        tx,
      )
      await sql`
        update gap_questions q set check_outcome = outcome, check_cited = cited
        from jsonb_to_recordset(${json(results)}) as asked(id bigint, outcome text, cited boolean)
        where q.id = asked.id
      `.execute(tx)
      await sql`update gaps set checked_job = ${jobId}, checked_at = now(), verdict = ${verdict} where id = ${gapId}`.execute(
        tx,
      )
    })
  }
}

async function addressesOf<Project extends AssistantProject>(
  { findPage, linkOf }: AssistantPorts<Project>,
  project: Project,
  changes: readonly ChangeColumn[],
): Promise<Set<string>> {
  const addresses = new Set<string>()
  for (const { path, status } of changes) {
    const page = status === 'deleted' ? undefined : await findPage(project, path)
    if (page?.path === path) addresses.add(withoutAnchor(linkOf(project, page.url, undefined)))
  }
  return addresses
}

interface OldQuestion {
  text: string
  /** The question before it in its thread. */
  before: string | null
  /** What the reader had selected. */
  selected: ContextColumn[] | null
}

// The newest of each wording.
async function questionsToAsk(db: Reader, gapId: string): Promise<(OldQuestion & { id: number })[]> {
  const { rows } = await sql<OldQuestion & { id: number }>`
    select max(id) as id, text, selected, min(before) as before from (
      select q.id, ${textOf('q')} as text, ${contextOf('q')} as selected, (
        select b.text from messages b where b.project_id = q.project_id and b.thread_id = q.thread_id
          and b.role = 'user' and b.n < q.n order by b.n desc limit 1
      ) as before
      from gap_questions q where q.gap_id = ${gapId} order by q.asked_at desc, q.id limit 50
    ) newest where text <> '' group by text, selected order by 1 desc limit ${mostAsked}
  `.execute(db)
  return rows
}

async function askAgain<Project extends AssistantProject>(
  assistant: AssistantPorts<Project>,
  project: Project,
  { text, before, selected, signal }: OldQuestion & { signal: AbortSignal },
): Promise<{ outcome: AnswerOutcomeColumn; cited: string[] }> {
  const { frames } = await ask(assistant, {
    project,
    threadId: undefined,
    question: { id: newId('msg'), fp: 'docwright', text, again: 'no' },
    history: before === null || before === '' ? [] : [{ role: 'user', text: before }],
    pageSize,
    filter: undefined,
    currentPath: undefined,
    caller: 'api',
    context: asAsked(selected ?? []),
    signal,
    charge: () => Promise.resolve(),
    // Whether the pages answer it is what is asked here.
    check: { without: ['pinned'] },
  })
  const cited: string[] = []
  let outcome: AnswerOutcomeColumn = signal.aborted ? 'stopped' : 'failed'
  for await (const frame of frames) {
    if (frame.type === 'source-url' && typeof frame['url'] === 'string')
      cited.push(withoutAnchor(frame['url']))
    if (frame.type === 'finish') outcome = outcomeIn(frame['messageMetadata']) ?? outcome
  }
  return { outcome, cited }
}

function outcomeIn(metadata: unknown): AnswerOutcomeColumn | undefined {
  if (typeof metadata !== 'object' || metadata === null || !('outcome' in metadata)) return undefined
  return answerOutcomes.find((one) => one === metadata.outcome)
}

function withoutAnchor(url: string): string {
  return url.split('#', 1)[0] ?? url
}
