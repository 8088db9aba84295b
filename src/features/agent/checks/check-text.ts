import type { Finding } from './problem.ts'
import { checkConflicts } from './check-conflicts.ts'
import { checkData } from './check-data.ts'
import { checkFences } from './check-fences.ts'
import { checkFrontMatter } from './check-front-matter.ts'
import { checkMdx } from './check-mdx.ts'
import { checkSnippets } from './check-snippets.ts'
import { type Glossary, checkTerms } from './check-terms.ts'
import type { TextWorker } from './text-worker.ts'
import type { FileVersion } from './tree-change.ts'

export interface TextTools {
  worker: TextWorker
  glossary: Glossary | undefined
  signal?: AbortSignal | undefined
}

/** Of one kind, in one file. */
const maxFindings = 200

/** Everything that a file's own text can have wrong with it. */
export async function checkText(
  file: FileVersion,
  { worker, glossary, signal }: TextTools,
): Promise<Finding[]> {
  const found = [
    checkFrontMatter(file),
    await checkMdx(file, worker.compileMdx, signal),
    await checkSnippets(file),
    checkFences(file),
    checkConflicts(file),
    await checkData(file, worker.readData, signal),
    checkTerms(file, glossary),
  ]
  return found.flatMap((findings) => findings.slice(0, maxFindings))
}
