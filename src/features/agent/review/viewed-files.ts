import { changedFiles, type ChangedFile } from '../../../integrations/git/trees/changed-files.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Reader, Store } from '../../../store/database.ts'
import { lockJob } from '../jobs.ts'
import type { Change } from '../workspace/job-work.ts'

/** How far somebody is with looking at a change. */
export interface ReviewProgress {
  /** Paths in the order of the change. */
  files: string[]
  /** Those that were looked at and have not changed since. */
  viewed: ReadonlySet<string>
}

/** What a file is marked with: its content after the change, so that the mark falls off when it changes again. */
function markOf({ oid, status }: ChangedFile): string {
  return oid ?? status
}

export async function readProgress(
  reader: Reader,
  jobId: string,
  viewerId: string,
  { repository, from, to }: Pick<Change, 'repository' | 'from' | 'to'>,
): Promise<ReviewProgress> {
  const files = from === to ? [] : await changedFiles(repository, from, to)
  const rows = await reader
    .selectFrom('viewed_files')
    .select(['path', 'file'])
    .where('job_id', '=', jobId)
    .where('viewer_id', '=', viewerId)
    .execute()
  const marks = new Map(rows.map(({ path, file }) => [path, file]))
  const viewed = files.filter((file) => marks.get(file.path) === markOf(file)).map(({ path }) => path)
  return { files: files.map(({ path }) => path), viewed: new Set(viewed) }
}

/**
 * Notes that somebody has looked at a file as it is now, or has not.
 * @throws AppError `invalid` for a file that is not a part of the change
 */
export async function markViewed(
  store: Store,
  { projectId, jobId, viewerId }: { projectId: string; jobId: string; viewerId: string },
  { repository, from, to }: Pick<Change, 'repository' | 'from' | 'to'>,
  { path, viewed }: { path: string; viewed: boolean },
): Promise<void> {
  const files = await changedFiles(repository, from, to)
  const file = files.find((one) => one.path === path)
  if (file === undefined)
    throw new AppError('invalid', `The change has no file ${JSON.stringify(path.slice(0, 200))}`)
  await store.transaction(async (tx) => {
    if (!(await lockJob(tx, jobId, projectId))) return
    await tx
      .deleteFrom('viewed_files')
      .where('job_id', '=', jobId)
      .where('viewer_id', '=', viewerId)
      .where('path', '=', path)
      .execute()
    if (!viewed) return
    await tx
      .insertInto('viewed_files')
      .values({ job_id: jobId, viewer_id: viewerId, path, file: markOf(file) })
      .execute()
  })
}
