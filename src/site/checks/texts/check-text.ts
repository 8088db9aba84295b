import type { Finding } from '../problem.ts'
import { checkAsciidoc } from './check-asciidoc.ts'
import { checkData } from './check-data.ts'
import { checkFences, fencedBlocks } from './check-fences.ts'
import { checkFrontMatter } from './check-front-matter.ts'
import { checkMdx } from './check-mdx.ts'
import { checkRestructured } from './check-restructured.ts'
import { checkBlocks } from './check-blocks.ts'
import { checkShownCode } from './check-shown-code.ts'
import { checkTags } from './check-tags.ts'
import { checkSnippets } from './check-snippets.ts'
import { type Glossary, checkTerms } from '../check-terms.ts'
import type { FileVersion } from '../tree-change.ts'

/** The most findings of one check in one file. */
const maxFindings = 200

/** Runs all checks that need no more than one file. */
export async function checkText(file: FileVersion, glossary: Glossary | undefined): Promise<Finding[]> {
  const checks = [
    checkFrontMatter,
    checkMdx,
    checkRestructured,
    checkAsciidoc,
    checkSnippets,
    checkFences,
    checkTags,
    checkShownCode,
    checkBlocks,
    checkConflicts,
    checkData,
    (one: FileVersion) => checkTerms(one, glossary),
  ]
  const findings: Finding[] = []
  for (const check of checks) {
    // Named again before each check, as a check may have read other files.
    if (!file.view.begin('check', file.path)) break
    for (const finding of (await check(file)).slice(0, maxFindings)) findings.push(finding)
  }
  return findings
}

const marker = /^(?:<{7}|>{7}|\|{7})(?: [^\n]{0,200})?$/

/** Markers of a merge that was not finished. A page may show such markers in a code block, so these only warn. */
export function checkConflicts(file: FileVersion): Finding[] {
  const { text } = file
  if (!text.includes('<<<<<<<') && !text.includes('>>>>>>>')) return []
  const code = fencedBlocks(file).map(({ line, content }) => [line, line + content.length] as const)
  return text.split('\n').flatMap((line, at) => {
    if (!marker.test(line.trimEnd())) return []
    const isInCode = code.some(([first, last]) => at + 1 > first && at + 1 <= last)
    return [
      {
        check: 'conflict' as const,
        ...(isInCode ? { severity: 'warning' as const } : {}),
        line: at + 1,
        message: `A marker of an unfinished merge is left: ${line.trimEnd().slice(0, 40)}`,
        hint: 'Write the text as it should read with both sides in it, and remove the lines of <<<<<<<, ======= and >>>>>>>',
      },
    ]
  })
}
