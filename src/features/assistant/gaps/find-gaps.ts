import { sql, type RawBuilder } from 'kysely'
import { newId } from '../../../lib/ids.ts'
import { questionTerms } from '../../../lib/prompts/question-terms.ts'
import { createTextThread, type TextThread } from '../../../lib/threads/text-thread.ts'
import { json, type Reader, type Store, type Tx } from '../../../store/database.ts'
import type { GapCauseColumn } from '../../../store/columns.ts'
import type { AssistantProject } from '../ports.ts'
import { checkGaps, dueChecks, dueChecksOf, type CheckPorts } from './check-gaps.ts'
import { forgetDeleted } from './forget-deleted.ts'
import { textOf } from './gap-texts.ts'
import type { GroupThread } from './group-texts.worker.ts'
import { describeGaps, hasUndescribed, isUnnamed, isUnsearched, namesGaps } from './describe-gaps.ts'

export type Grouper = Pick<TextThread<GroupThread>, 'run'>

/** What the search for gaps needs. */
interface GapPorts<Project extends AssistantProject> extends CheckPorts<Project> {
  grouper: Grouper
}

/** Questions that are grouped at once, and searches. */
const batch = 2000
const mostBatches = 20
/** Gaps that new questions are compared with, the newest ones, and questions of each. */
const mostKnown = 5000
const mostOfEach = 8
const longestText = 400
/** Milliseconds for one batch. */
const deadline = 120_000
/** Minutes by which what is recorded may be older than what was looked at before it: a transaction may last. */
const lateness = 15
/** Days in which a question off the subject must be asked by several readers to be a gap. */
const repeatedWithin = 90
/** Minutes until another process takes over from one that has ended. */
const claim = 10

export function createGrouper(): Grouper {
  return createTextThread<GroupThread>(new URL('group-texts.worker.ts', import.meta.url), {
    deadline,
    memory: 512,
  })
}

/**
 * Looks for gaps in the projects of which something is new, one after the other.
 * @param readProjects those of these ids that exist
 * @param onError called where one of them failed: the next ones are still looked at
 */
export async function findAllGaps<Project extends AssistantProject>(
  ports: GapPorts<Project>,
  readProjects: (ids: readonly string[]) => Promise<Project[]>,
  onError: (project: Project, error: unknown) => void,
): Promise<void> {
  const { store } = ports.assistant
  const begun = new Date()
  const newsByProject = await findNews(store.db)
  for (const project of await readProjects([...newsByProject.keys()])) {
    if (ports.stopping.aborted) return
    const news = newsByProject.get(project.id)
    if (!news?.recent && !news?.other && !namesGaps(ports.assistant, project)) continue
    try {
      const hadWork = await findGaps(ports, project)
      // What was looked at in vain is not looked at again.
      if (!hadWork && news?.recent) await noteLookedAt(store, project.id, begun)
    } catch (error) {
      onError(project, error)
    }
  }
}

interface News {
  /** Questions, ratings or searches that may belong to a gap. */
  recent: boolean
  /** Something to do for the gaps that there are, whatever model the project has. */
  other: boolean
}

/** Projects where something may be new, without reading what: one statement, however many there are. */
async function findNews(db: Reader): Promise<Map<string, News>> {
  const { rows } = await sql<News & { id: string }>`
    with looked as (
      select p.id, coalesce(c.read_to, 'epoch') - ${lateness} * interval '1 minute' as since
      from projects p left join gap_claims c on c.project_id = p.id
    ), news as (
      select id, exists (select from messages m where m.project_id = looked.id and m.created_at > since
          and m.outcome in ('unanswered', 'weak', 'partial', 'uncited'))
        or exists (select from feedback f where f.project_id = looked.id and f.created_at > since and f.rating = 'down')
        or exists (select from searches s where s.project_id = looked.id and s.created_at > since and s.results = 0
          and s.query <> '') as recent
      from looked
    ), all_news as (
      select id, recent, exists (select from gap_questions q where ${isWithdrawn(sql`news.id`)})
        or exists (select from gaps g where g.project_id = news.id and ${isUnsearched})
        or exists (select from (${dueChecksOf(sql`news.id`)}) as due) as other
      from news
    )
    select * from all_news where recent or other
      or exists (select from gaps g where g.project_id = all_news.id and ${isUnnamed})
  `.execute(db)
  return new Map(rows.map(({ id, recent, other }) => [id, { recent, other }]))
}

async function noteLookedAt(store: Store, projectId: string, at: Date): Promise<void> {
  await store.transaction((tx) =>
    sql`
      insert into gap_claims (project_id, claimed_until, read_to)
      select id, now(), ${at}::timestamptz from projects where id = ${projectId}
      on conflict (project_id) do update set read_to = greatest(gap_claims.read_to, excluded.read_to)
    `.execute(tx),
  )
}

/**
 * Brings the gaps of a project up to date: groups new questions, names gaps, looks for the nearest pages, and asks again
 * where a page was merged. Can be repeated, and does nothing while another process does it.
 * @returns whether there was something to do
 */
export async function findGaps<Project extends AssistantProject>(
  ports: GapPorts<Project>,
  project: Project,
): Promise<boolean> {
  const { store } = ports.assistant
  const isNeeded =
    (await readUngrouped(store.db, project.id, 1)).length > 0 ||
    (await hasWithdrawn(store.db, project.id)) ||
    (await hasUndescribed(ports.assistant, project)) ||
    (await dueChecks(store.db, project.id)).length > 0
  if (!isNeeded) return false
  if (!(await takeClaim(store, project.id))) return true
  try {
    await dropWithdrawn(store, project.id)
    for (let done = 0; done < mostBatches && !ports.stopping.aborted; done++)
      if ((await groupBatch(store, ports.grouper, project, ports.stopping)) < batch) break
    await describeGaps(ports, project)
    await checkGaps(ports, project.id)
  } finally {
    await store.transaction((tx) =>
      sql`update gap_claims set claimed_until = now() where project_id = ${project.id}`.execute(tx),
    )
  }
  return true
}

async function takeClaim(store: Store, projectId: string): Promise<boolean> {
  const { rows } = await store.transaction((tx) =>
    sql`
      insert into gap_claims (project_id, claimed_until)
      select id, now() + ${claim} * interval '1 minute' from projects where id = ${projectId}
      on conflict (project_id) do update set claimed_until = excluded.claimed_until
        where gap_claims.claimed_until < now()
      returning 1
    `.execute(tx),
  )
  return rows.length > 0
}

interface Ungrouped {
  threadId: string | null
  n: number | null
  searchId: number | null
  text: string
  /** The question before it in its thread. */
  before: string | null
  cause: GapCauseColumn
  fp: string | null
  askedAt: string
}

/** @returns how many questions there were */
async function groupBatch(
  store: Store,
  grouper: Grouper,
  { id: projectId, domain }: AssistantProject,
  signal: AbortSignal,
): Promise<number> {
  const begun = new Date()
  const questions = await readUngrouped(store.db, projectId, batch)
  const isLast = questions.length < batch
  const noteRead = (tx: Tx) =>
    isLast && sql`update gap_claims set read_to = ${begun} where project_id = ${projectId}`.execute(tx)
  if (questions.length === 0) {
    await store.transaction(async (tx) => noteRead(tx))
    return 0
  }
  const known = await readKnown(store.db, projectId)
  const { topics, names } = await grouper.run(
    { known: known.map(({ texts }) => texts), questions: questions.map(standingAlone), subject: domain },
    { signal },
  )
  const ids = new Map(known.map(({ id }, topic) => [topic, id]))
  const newTopics = [...new Set(topics)].filter((topic) => topic >= known.length)
  for (const topic of newTopics) ids.set(topic, newId('gap'))
  const rows = questions.map(({ threadId, n, searchId, cause, fp, askedAt }, index) => ({
    threadId,
    n,
    searchId,
    cause,
    fp,
    askedAt,
    gapId: ids.get(topics[index] ?? -1) ?? null,
  }))
  await store.transaction(async (tx) => {
    await sql`
      insert into gaps (id, project_id)
      select made.id, projects.id from jsonb_to_recordset(${json(newTopics.map((topic) => ({ id: ids.get(topic) })))})
        as made(id text), projects where projects.id = ${projectId}
    `.execute(tx)
    // What was deleted meanwhile, or has another gap, is left out.
    await sql`
      insert into gap_questions (project_id, gap_id, thread_id, n, search_id, cause, fp, asked_at)
      select ${projectId}, "gapId", "threadId", found.n, "searchId", cause, found.fp, "askedAt"::timestamptz
      from jsonb_to_recordset(${json(rows)}) as found("gapId" text, "threadId" text, n integer, "searchId" bigint,
        cause text, fp text, "askedAt" text)
      where ("gapId" is null or (select id from gaps where id = "gapId") is not null) and case when "searchId" is null
        then (select m.n from messages m where m.project_id = ${projectId} and m.thread_id = "threadId"
          and m.n = found.n) is not null
        else (select id from searches where id = "searchId") is not null end
      on conflict do nothing
    `.execute(tx)
    const named = [...names].flatMap(([topic, name]) => {
      const id = ids.get(topic)
      return id === undefined ? [] : [{ id, name }]
    })
    await sql`
      update gaps set size = (select count(*) from gap_questions where gap_id = gaps.id),
        name = case when named_by = 'words' then named.name else gaps.name end
      from jsonb_to_recordset(${json(named)}) as named(id text, name text) where gaps.id = named.id
    `.execute(tx)
    await sql`delete from gaps where project_id = ${projectId} and size = 0`.execute(tx)
    await noteRead(tx)
  })
  return questions.length
}

/** A follow-up that does not say what it is about is grouped with the words of the question before it. */
function standingAlone({ text, before }: Ungrouped): string {
  const own = text.slice(0, longestText)
  if (before === null || before === '') return own
  const weight = [...questionTerms(own).values()].reduce((sum, one) => sum + one, 0)
  return weight < 2 ? `${own} ${before.slice(0, longestText)}` : own
}

async function readUngrouped(db: Reader, projectId: string, limit: number): Promise<Ungrouped[]> {
  const { rows: claims } = await sql<{ since: Date }>`
    select read_to - ${lateness} * interval '1 minute' as since from gap_claims where project_id = ${projectId}
  `.execute(db)
  const since = claims[0]?.since ?? new Date(0)
  const rated = sql`exists (select from feedback f where f.project_id = a.project_id and f.thread_id = a.thread_id
    and f.n = a.n and f.rating = 'down')`
  // As values, because joins with a table that has just grown may be planned as if it were empty.
  const gapOf = (place: RawBuilder<unknown>) => sql`(select g.id from gap_questions g where ${place} limit 1)`
  const { rows } = await sql<Ungrouped>`
    with off_topic as materialized (
      select a.project_id, a.thread_id, a.n, a.outcome, a.cause, q.fp, lower(q.text) as words
      from messages a join messages q on q.project_id = a.project_id and q.thread_id = a.thread_id and q.n = a.n - 1
      where a.project_id = ${projectId} and a.outcome = 'unanswered' and a.cause = 'off_topic' and q.text <> ''
        and a.created_at > now() - ${repeatedWithin} * interval '1 day'
    ), repeated as (
      -- On a site of few pages, a question of which no page has a word may be what is missing.
      select * from off_topic where words in (select words from off_topic group by words having count(distinct fp) > 1)
    ), answers as (
      select project_id, thread_id, n, outcome, cause from messages a
      where project_id = ${projectId} and outcome in ('unanswered', 'weak', 'partial', 'uncited') and created_at > ${since}
        and (cause is distinct from 'off_topic' or ${rated})
      union select a.project_id, a.thread_id, a.n, outcome, cause from repeated a
      union select a.project_id, a.thread_id, a.n, outcome, cause from feedback d join messages a
        on a.project_id = d.project_id and a.thread_id = d.thread_id and a.n = d.n
      where d.project_id = ${projectId} and d.rating = 'down' and d.created_at > ${since}
    ), searched as materialized (
      select distinct lower(query) as words from searches
      where project_id = ${projectId} and results = 0 and query <> '' and created_at > ${since}
    ), found as materialized (
      select q.project_id, q.thread_id, q.n, null::bigint as search_id, q.text, q.fp, q.created_at,
        case when a.outcome in ('partial', 'uncited', 'weak') then a.outcome
          when a.outcome = 'unanswered' and a.cause is distinct from 'off_topic' then coalesce(a.cause, 'weak')
          when a.n in (select n from repeated r where r.thread_id = a.thread_id) then 'nothing_found'
          else 'downvoted' end as cause
      from answers a join messages q on q.project_id = a.project_id and q.thread_id = a.thread_id and q.n = a.n - 1
      where q.role = 'user' and q.text <> ''
        and ${gapOf(sql`g.project_id = q.project_id and g.thread_id = q.thread_id and g.n = q.n`)} is null
      union all select project_id, null, null, s.id, query, fp, created_at, 'search' from searched, lateral (
        select *, count(*) over () as times from searches
        where project_id = ${projectId} and results = 0 and query <> '' and lower(query) = words
      ) s where times > 1 and ${gapOf(sql`g.search_id = s.id`)} is null
    ), first as materialized (
      select * from found order by created_at, thread_id, n, search_id limit ${limit}
    )
    select thread_id as "threadId", n, search_id as "searchId", left(text, ${longestText}) as text, (
        select left(b.text, ${longestText}) from messages b where b.project_id = first.project_id
          and b.thread_id = first.thread_id and b.role = 'user' and b.n < first.n order by b.n desc limit 1
      ) as before, cause, fp, created_at::text as "askedAt" from first
    order by created_at, thread_id, n, search_id
  `.execute(db)
  return rows
}

async function dropWithdrawn(store: Store, projectId: string): Promise<void> {
  if (!(await hasWithdrawn(store.db, projectId))) return
  await store.transaction(async (tx) => {
    await sql`delete from gap_questions q where ${isWithdrawn(projectId)}`.execute(tx)
    await forgetDeleted(tx, projectId)
  })
}

/** Readers take back what they thought of an answer. */
function isWithdrawn(projectId: string | RawBuilder<unknown>) {
  return sql`q.project_id = ${projectId} and q.cause = 'downvoted' and (select f.n from feedback f
    where f.project_id = q.project_id and f.thread_id = q.thread_id and f.n = q.n + 1 and f.rating = 'down' limit 1)
    is null`
}

async function hasWithdrawn(db: Reader, projectId: string): Promise<boolean> {
  const { rows } = await sql`select from gap_questions q where ${isWithdrawn(projectId)} limit 1`.execute(db)
  return rows.length > 0
}

async function readKnown(db: Reader, projectId: string): Promise<{ id: string; texts: string[] }[]> {
  const { rows } = await sql<{ id: string; texts: string[] }>`
    select g.id, (
      select coalesce(jsonb_agg(text order by asked_at, id), '[]') from (
        select q.id, q.asked_at, left(${textOf('q')}, ${longestText}) as text from gap_questions q
        where q.gap_id = g.id order by q.asked_at, q.id limit ${mostOfEach}
      ) first
    ) as texts
    from (select id from gaps where project_id = ${projectId} order by id desc limit ${mostKnown}) g order by g.id
  `.execute(db)
  return rows
}
