import { sql, type SqlBool } from 'kysely'
import { readIgnoreRequest } from '../../lib/prompts/ignore-prompt.ts'
import type { Reader } from '../../store/database.ts'
import { deed } from '../../verbs/verb.ts'
import { createJob, sendMessage, type OncePorts } from '../jobs/once.ts'

/**
 * Starts the job of a press, or has the one of an earlier press go on, so that all entries that wait to be merged stand in
 * one pull request: two would both add to the end of one file.
 */
export const ignoreProblems = deed(createJob.verb, async (ports: OncePorts, asking, input) => {
  const id = await openIgnoreJob(ports.store.db, asking.project.id)
  if (id === undefined) return createJob.run(ports, asking, input)
  return sendMessage.run(ports, asking, { id, prompt: input.prompt })
})

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
