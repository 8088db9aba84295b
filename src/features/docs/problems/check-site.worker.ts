import { openBlobReader } from '../../../integrations/git/trees/blob-reader.ts'
import type { Repository } from '../../../integrations/git/git.ts'
import { listTree } from '../../../integrations/git/trees/list-tree.ts'
import { treeFiles } from '../../../integrations/git/trees/tree-files.ts'
import { answerTasks, type Owner } from '../../../lib/threads/answer-tasks.ts'
import { SiteView } from '../../../site/checks/site-view.ts'
import { checkSite, type SiteCheck } from '../../../site/checks/whole/check-site.ts'
import { type SiteProgress, sparingly } from '../../../site/checks/whole/progress.ts'
import type { FileView } from '../../../site/files.ts'
import { readingKey, readingName, type TextGuard } from '../../../site/text/text-guard.ts'

/** Checks a whole site off the main thread, and tells how far it is. */
export interface CheckThread {
  task: {
    repository: Repository
    commit: string
    root: string
    /** Keys of the texts that took too long before. */
    tooMuch: readonly string[]
  }
  request: SiteProgress
  reply: void
  answer: SiteCheck
}

const maximumBytes = 4 * 1024 * 1024

answerTasks<CheckThread>(async ({ repository, commit, root, tooMuch }, owner) => {
  await using reader = await openBlobReader(repository, { maxBytes: maximumBytes })
  const oids = await treeFiles(await listTree(repository, commit), reader)
  const readSome: FileView['readSome'] = async (paths) => {
    const known = paths.flatMap((path) => oids.get(path) ?? [])
    const blobs = new Map((await reader.readSome(known)).map((blob) => [blob.oid, blob]))
    return paths.map((path) => {
      const blob = blobs.get(oids.get(path) ?? '')
      return blob?.state === 'read' ? blob.content : undefined
    })
  }
  const files: FileView = {
    revision: 0,
    list: () => [...oids].map(([path, oid]) => ({ path, oid })),
    read: async (path) => (await readSome([path]))[0],
    readSome,
  }
  const report = sparingly((progress) => owner.ask(progress))
  // Awaited here, because the reader is closed when this ends.
  return await checkSite(new SiteView({ files, root, guard: guardOf(owner, tooMuch) }), report)
})

function guardOf(owner: Owner<CheckThread>, tooMuch: readonly string[]): TextGuard {
  const left = new Set(tooMuch)
  return {
    begin(purpose, path, id) {
      if (left.has(readingKey(purpose, id))) return false
      owner.reading(readingName(purpose, path, id))
      return true
    },
  }
}
