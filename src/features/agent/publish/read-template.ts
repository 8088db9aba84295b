import { openBlobReader } from '../../../integrations/git/trees/blob-reader.ts'
import { listTree } from '../../../integrations/git/trees/list-tree.ts'
import { readText } from '../../../site/text/encoding.ts'
import type { StartedTurn, TurnRun } from '../turns/turn-run.ts'
import { requestTemplates } from '../workspace/request-template.ts'

const longestTemplate = 16 * 1024

/** The form of the base, so that neither the job nor a branch of a fork can change it. */
export async function readTemplate(
  { project: { repository }, signal }: TurnRun,
  { baseCommit }: Pick<StartedTurn, 'baseCommit'>,
): Promise<string | undefined> {
  const [entry] = requestTemplates(await listTree(repository, baseCommit, { signal }))
  if (entry === undefined) return undefined
  await using reader = await openBlobReader(repository, { signal, maxBytes: longestTemplate })
  const blob = await reader.read(entry.oid)
  return blob.state === 'read' ? readText(blob.content) : undefined
}
