import { sql, type SqlBool } from 'kysely'
import { getJob } from '../../features/agent/jobs.ts'
import { readIgnoreRequest } from '../../lib/prompts/ignore-prompt.ts'
import type { Reader, Tx } from '../../store/database.ts'
import { deed } from '../../verbs/verb.ts'
import { jobToBody } from '../jobs/job-body.ts'
import { createJob, createOnce, doNow, orNotFound, sendMessage, type OncePorts } from '../jobs/once.ts'

/**
 * Starts the job of a press, or has the one of an earlier press go on, so that all entries that wait to be merged stand in
 * one pull request: two would both add to the end of one file.
 */
export const ignoreProblems = deed(createJob.verb, async (ports: OncePorts, asking, input) => {
  const { store } = ports
  const { project } = asking
  const goOn = async (id: string) => {
    const isAsked = await waitsFor(store.db, id, input.prompt)
    return isAsked
      ? jobToBody(await orNotFound(id, getJob(store.db, project.id, id)), project, ports)
      : sendMessage.run(ports, asking, { id, prompt: input.prompt })
  }
  const before = await openIgnoreJob(store.db, project.id)
  if (before !== undefined) return goOn(before)
  const run: typeof createOnce.run = (_, asked, wanted, finish, begin) =>
    createOnce.run(ports, asked, wanted, finish, async (tx) => {
      await lockPresses(tx, project.id)
      const meanwhile = await openIgnoreJob(tx, project.id)
      if (meanwhile !== undefined) throw new BegunMeanwhile(meanwhile)
      await begin(tx)
    })
  try {
    return await doNow(ports, { ...createOnce, run }, asking, input)
  } catch (error) {
    if (error instanceof BegunMeanwhile) return goOn(error.id)
    throw error
  }
})

/** Rolls the transaction back because another press was faster. */
class BegunMeanwhile extends Error {
  readonly id: string

  constructor(id: string) {
    super('Another press has started the job in the meantime')
    this.id = id
  }
}

/** Until the transaction ends, no other press of the project starts a job. */
async function lockPresses(tx: Tx, projectId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`ignore ${projectId}`}, 0))`.execute(tx)
}

/** Whether the job was given this entry before: a button was pressed twice. */
async function waitsFor(reader: Reader, jobId: string, prompt: string): Promise<boolean> {
  const turn = await reader
    .selectFrom('turns')
    .select('n')
    .where('job_id', '=', jobId)
    .where('prompt', '=', prompt)
    .where('status', '!=', 'failed')
    .executeTakeFirst()
  return turn !== undefined
}

async function openIgnoreJob(reader: Reader, projectId: string): Promise<string | undefined> {
  const rows = await reader
    .selectFrom('jobs')
    .innerJoin('turns', 'turns.job_id', 'jobs.id')
    .select(['jobs.id', 'turns.prompt'])
    .where('jobs.project_id', '=', projectId)
    .where('jobs.model', '=', 'builtin')
    .where('turns.n', '=', 1)
    .where('turns.prompt', 'like', 'Ignore problems%')
    .where(sql<SqlBool>`case when jobs.pull_request is null or jobs.pull_request = 'null'::jsonb
      then jobs.status = 'active' else jobs.status <> 'archived' and jobs.pull_request->>'state' = 'open' end`)
    .orderBy('jobs.id', 'desc')
    .limit(10)
    .execute()
  return rows.find(({ prompt }) => readIgnoreRequest(prompt) !== undefined)?.id
}
