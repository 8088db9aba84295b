import { sql } from 'kysely'
import type { Store } from '../../../store/database.ts'
import { lockDueSchedules, setNextTime } from '../automations.ts'
import { countToday, insertRun } from '../runs.ts'
import { rule } from '../rules/rule.ts'

const mostAtOnce = 50

/** Gives rules their runs of times that have come. Of the times that nobody was there for, the last one counts. */
export async function runSchedules(store: Store, now: Date): Promise<void> {
  await store.transaction(async (tx) => {
    for (const automation of await lockDueSchedules(tx, mostAtOnce)) {
      const { nextAt, isOn } = automation
      if (isOn && nextAt !== undefined && automation.rule !== undefined) {
        const at = nextAt.toISOString()
        await insertRun(tx, automation, { key: `schedule ${at}`, cause: { kind: 'schedule', at } })
      }
      await setNextTime(tx, automation, now)
    }
  })
}

const mostGaps = 10

/** Gives rules their runs of gaps that are large enough, those first that were asked about most; no more than they may have today. */
export async function runGaps(store: Store): Promise<void> {
  const rows = await store.db
    .selectFrom('automations')
    .select(['id', 'project_id', 'rule'])
    .where('removed_at', 'is', null)
    .where('is_on', '=', true)
    .where(sql<boolean>`rule->'on' ? 'gap'`)
    .execute()
  for (const { id, project_id: projectId, rule: stored } of rows) {
    const read = rule.safeParse(stored).data
    if (read?.on?.gap === undefined) continue
    const waiting = sql<{
      count: number
    }>`select count(*)::int as count from automation_runs where automation_id = ${id} and due_at is not null`
    const [{ count } = { count: 0 }] = (await waiting.execute(store.db)).rows
    const left = Math.min(mostGaps, read.limits.runs - (await countToday(store.db, id)) - count)
    if (left <= 0) continue
    const { rows: gaps } = await sql<{ id: string }>`
      select id from gaps g where project_id = ${projectId} and size >= ${read.on.gap.questions} and dismissed_at is null
        and not exists (select from jobs where gap_id = g.id)
        and not exists (select from automation_runs where automation_id = ${id} and event_key = 'gap ' || g.id)
      order by size desc, id limit ${left}
    `.execute(store.db)
    if (gaps.length === 0) continue
    await store.transaction(async (tx) => {
      for (const gap of gaps)
        await insertRun(
          tx,
          { id, projectId },
          { key: `gap ${gap.id}`, cause: { kind: 'gap', gapId: gap.id } },
        )
    })
  }
}
