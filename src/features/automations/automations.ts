import { sql, type Selectable } from 'kysely'
import { newId } from '../../lib/ids.ts'
import { AppError } from '../../lib/errors.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import { json, type Reader, type Tx } from '../../store/database.ts'
import type { AskedByColumn } from '../../store/columns.ts'
import type { Tables } from '../../store/tables.ts'
import type { ReadRule } from './rules/read-rule.ts'
import { rule, type Rule } from './rules/rule.ts'
import { nextTime } from './rules/schedule.ts'

/** A rule of a project, and whether it is at work. */
export interface Automation {
  id: string
  projectId: string
  /** The file of the repository that it is; undefined for one that was made here. */
  path: string | undefined
  name: string
  source: string
  /** Undefined where its text has problems. */
  rule: Rule | undefined
  problems: string[]
  isOn: boolean
  /** When its schedule comes next. */
  nextAt: Date | undefined
  author: AskedByColumn | undefined
  createdAt: Date
  changedAt: Date
}

const mostAutomations = 50

type Row = Selectable<Tables['automations']>

function toAutomation(row: Row): Automation {
  return {
    id: row.id,
    projectId: row.project_id,
    path: row.path ?? undefined,
    name: row.name,
    source: row.source,
    rule: storedRule(row.rule),
    problems: row.problems,
    isOn: row.is_on,
    nextAt: row.next_at ?? undefined,
    author: row.author ?? undefined,
    createdAt: row.created_at,
    changedAt: row.changed_at,
  }
}

// What an older version has read may lack a field, or have one that is gone.
function storedRule(stored: unknown): Rule | undefined {
  const parsed = rule.safeParse(stored)
  return parsed.success ? parsed.data : undefined
}

/** In order of their names. */
export async function listAutomations(reader: Reader, projectId: string): Promise<Automation[]> {
  const rows = await reader
    .selectFrom('automations')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('removed_at', 'is', null)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
  return rows.map(toAutomation)
}

/** @throws AppError `not_found` */
export async function getAutomation(reader: Reader, projectId: string, id: string): Promise<Automation> {
  const automation = hasUnstorable(id) ? undefined : await findAutomation(reader, id)
  if (automation?.projectId !== projectId)
    throw new AppError('not_found', `Automation ${JSON.stringify(id.slice(0, 100))} not found. Check the ID`)
  return automation
}

export async function findAutomation(reader: Reader, id: string): Promise<Automation | undefined> {
  const row = await reader
    .selectFrom('automations')
    .selectAll()
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return row && toAutomation(row)
}

/** Runs of one rule begin one after the other. */
export async function lockAutomation(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('automations').select('id').where('id', '=', id).forUpdate().execute()
}

/** @throws AppError `invalid` above the limit of a project */
export async function insertAutomation(
  tx: Tx,
  projectId: string,
  { source, read, author }: { source: string; read: ReadRule; author: AskedByColumn | undefined },
): Promise<string> {
  await tx.selectFrom('projects').select('id').where('id', '=', projectId).forUpdate().execute()
  if ((await listAutomations(tx, projectId)).length >= mostAutomations)
    throw new AppError('invalid', `A project has up to ${mostAutomations} automations. Delete one first`)
  const id = newId('aut')
  await tx
    .insertInto('automations')
    .values({
      id,
      project_id: projectId,
      ...contentOf(source, read),
      author: json(author ?? null),
      next_at: nextOf(read.rule),
    })
    .execute()
  return id
}

export async function updateAutomation(
  tx: Tx,
  { id, rule }: Automation,
  change: { content?: { source: string; read: ReadRule } | undefined; isOn?: boolean | undefined },
): Promise<void> {
  const { content, isOn } = change
  const present = content === undefined ? rule : content.read.rule
  await tx
    .updateTable('automations')
    .set({
      ...(content && contentOf(content.source, content.read)),
      ...(isOn !== undefined && { is_on: isOn }),
      // A rule that was off makes up for nothing.
      next_at: nextOf(present),
      changed_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute()
}

export async function removeAutomation(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('automations')
    .set({ removed_at: sql<Date>`now()`, next_at: null })
    .where('id', '=', id)
    .execute()
}

/** Makes the rules of a project's files those that the repository has now. */
export async function storeFiles(
  tx: Tx,
  projectId: string,
  files: readonly { path: string; source: string; read: ReadRule }[],
): Promise<void> {
  await tx.selectFrom('projects').select('id').where('id', '=', projectId).forUpdate().execute()
  const rows = await tx
    .selectFrom('automations')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('path', 'is not', null)
    .execute()
  const before = new Map(rows.map((row) => [row.path, row]))
  for (const { path, source, read } of files.slice(0, mostAutomations)) {
    const present = before.get(path)
    before.delete(path)
    if (present?.source === source && present.removed_at === null) continue
    const values = { ...contentOf(source, read), next_at: nextOf(read.rule) }
    if (present === undefined)
      await tx
        .insertInto('automations')
        .values({ id: newId('aut'), project_id: projectId, path, author: json(null), ...values })
        .execute()
    else
      await tx
        .updateTable('automations')
        .set({ ...values, removed_at: null, changed_at: sql<Date>`now()` })
        .where('id', '=', present.id)
        .execute()
  }
  for (const row of before.values()) if (row.removed_at === null) await removeAutomation(tx, row.id)
}

function contentOf(source: string, { name, rule, problems, notes }: ReadRule) {
  return {
    name: name === undefined || name === '' ? 'Unnamed' : name,
    source,
    rule: json(rule ?? null),
    problems: json(rule === undefined ? problems : notes),
  }
}

function nextOf(rule: Rule | undefined): Date | null {
  const clock = rule?.on?.schedule
  return (clock && nextTime(clock, new Date())) ?? null
}

/** The project of rules that look at repositories, with what is on. */
export async function activeAutomations(reader: Reader, projectId: string): Promise<Automation[]> {
  return (await listAutomations(reader, projectId)).filter(({ isOn, rule }) => isOn && rule !== undefined)
}

/** Schedules whose time has come. */
export async function lockDueSchedules(tx: Tx, limit: number): Promise<Automation[]> {
  const rows = await tx
    .selectFrom('automations')
    .selectAll()
    .where('next_at', '<=', sql<Date>`now()`)
    .where('removed_at', 'is', null)
    .orderBy('next_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map(toAutomation)
}

export async function setNextTime(tx: Tx, { id, rule }: Automation, after: Date): Promise<void> {
  const clock = rule?.on?.schedule
  await tx
    .updateTable('automations')
    .set({ next_at: (clock && nextTime(clock, after)) ?? null })
    .where('id', '=', id)
    .execute()
}
