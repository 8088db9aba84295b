import type { Access } from '../../api/access.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { jobToBody } from '../../api/v2/agent/job-body.ts'
import { exportThreadsEndpoint } from '../../api/v2/insights/export-threads.ts'
import { readingEndpoints } from '../../api/v2/insights/insights.ts'
import { threadEndpoints } from '../../api/v2/insights/threads.ts'
import { traceAnswerEndpoint, type TracePorts } from '../../api/v2/insights/trace-answer.ts'
import { createJob } from '../../features/agent/create-job.ts'
import { deleteConversation, deletePerson } from '../../features/assistant/insights/retention.ts'
import type { SearchLog } from '../../features/assistant/insights/searches.ts'
import { answerGone, readQuestion, workOfAnswer } from '../../features/assistant/insights/work-of-answer.ts'
import { askedBy } from '../../features/projects/allow.ts'
import { countLimits, limits, useBy } from '../../features/projects/limits.ts'
import { AppError } from '../../lib/errors.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import type { Store } from '../../store/database.ts'
import { httpDoor } from '../../verbs/http.ts'
import { deed } from '../../verbs/verb.ts'
import type { OncePorts } from '../jobs/once.ts'
import * as verbs from './verbs.ts'

interface Ports {
  store: Store
  searchLog: Pick<SearchLog, 'flush'>
}

export const deleteThreads = deed(
  verbs.deleteThreads,
  async ({ store, searchLog }: Ports, { project }, { id, fp }) => {
    if ((id === undefined) === (fp === undefined))
      throw new AppError('invalid', 'Name either a thread by `id` or a person by `fp`')
    if (hasUnstorable(id ?? fp ?? '')) throw new AppError('not_found', 'Thread not found')
    // Searches are written a moment later, which must not be after this.
    if (fp !== undefined) await searchLog.flush()
    const deleted =
      id === undefined
        ? await deletePerson(store, project.id, fp ?? '')
        : await deleteConversation(store, project.id, id)
    if (deleted === 0) throw new AppError('not_found', 'Nothing was deleted. Thread or reader not found')
    return { deleted }
  },
)

export const createAnswerJob = deed(
  verbs.createAnswerJob,
  async (ports: OncePorts, { project, caller }, { thread, question, prompt, ...options }) => {
    const answer = readQuestion(thread, question)
    const work = answer && (await workOfAnswer(ports.store.db, project.id, answer))
    if (!work) throw answerGone()
    const input = { ...work, ...options, prompt: prompt ?? work.prompt, answer, askedBy: askedBy(caller) }
    const uses = [useBy(project, limits.jobCreate)]
    const job = await createJob(ports, project, input, (tx) => countLimits(tx, uses))
    return jobToBody(job, project, ports)
  },
)

/** What readers asked and searched: read, exported, tried again and deleted. */
export function insightsEndpoints(
  ports: Ports & TracePorts & { access: Access; publicUrl(): string },
): Endpoint[] {
  return [
    ...readingEndpoints(ports),
    ...threadEndpoints(ports),
    ...httpDoor(ports, [deleteThreads]),
    exportThreadsEndpoint(ports),
    traceAnswerEndpoint(ports),
  ]
}
