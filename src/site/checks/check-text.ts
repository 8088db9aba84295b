import type { Finding } from './problem.ts'
import { checkConflicts } from './check-conflicts.ts'
import { checkData } from './check-data.ts'
import { checkFences } from './check-fences.ts'
import { checkFrontMatter } from './check-front-matter.ts'
import { checkMdx } from './check-mdx.ts'
import { checkSnippets } from './check-snippets.ts'
import { type Glossary, checkTerms } from './check-terms.ts'
import type { FileVersion } from './tree-change.ts'

/** Of one kind, in one file. */
const maxFindings = 200

/** Everything that a file's own text can have wrong with it. */
export async function checkText(file: FileVersion, glossary: Glossary | undefined): Promise<Finding[]> {
  const checks = [
    checkFrontMatter,
    checkMdx,
    checkSnippets,
    checkFences,
    checkConflicts,
    checkData,
    (one: FileVersion) => checkTerms(one, glossary),
  ]
  const found: Finding[] = []
  for (const check of checks) {
    // Again for each: one of them may have read other files.
    if (!file.view.begin('check', file.path)) break
    for (const finding of (await check(file)).slice(0, maxFindings)) found.push(finding)
  }
  return found
}
