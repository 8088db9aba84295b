import type { Repository } from '../../../integrations/git/git.ts'
import { runGit } from '../../../integrations/git/process/run-git.ts'
import { decodePath, splitAtNul } from '../../../integrations/git/trees/decode-path.ts'
import { openBlobReader } from '../../../integrations/git/trees/blob-reader.ts'
import { requireObjectId } from '../../../integrations/git/object-id.ts'
import { storableText } from '../../../site/pages/decode.ts'
import { longestRule, readRule, type ReadRule } from './read-rule.ts'

export const ruleFolder = '.docwright/automations'
const folders = { [ruleFolder]: 'docwright', '.mintlify/workflows': 'mintlify' } as const
const mostFiles = 50

/** A rule as a file of a repository. */
export interface RuleFile {
  path: string
  source: string
  read: ReadRule
}

/** The rules of a commit, in order of their paths. */
export async function readRuleFiles(repository: Repository, commit: string): Promise<RuleFile[]> {
  const { stdout } = await runGit(repository.git, {
    args: [
      'ls-tree',
      '-z',
      '--full-tree',
      requireObjectId(commit),
      '--',
      ...Object.keys(folders).map((folder) => `${folder}/`),
    ],
    folder: repository.folder,
  })
  const entries: { path: string; oid: string; origin: 'docwright' | 'mintlify' }[] = []
  for (const record of splitAtNul(stdout)) {
    const tab = record.indexOf(9)
    const path = decodePath(record.subarray(tab + 1))
    const [mode = '', , oid = ''] = record.toString('latin1', 0, tab).split(' ')
    const origin = Object.entries(folders).find(([folder]) => path?.startsWith(`${folder}/`))?.[1]
    // Links lead elsewhere.
    if (path?.endsWith('.md') && mode.startsWith('100') && origin) entries.push({ path, oid, origin })
  }
  if (entries.length === 0) return []
  await using reader = await openBlobReader(repository, { maxBytes: longestRule * 4 })
  const files: RuleFile[] = []
  for (const { path, oid, origin } of entries.slice(0, mostFiles)) {
    const blob = await reader.read(oid)
    if (blob.state === 'missing') continue
    const text =
      blob.state === 'read' ? storableText(blob.content.toString('utf8')) : ' '.repeat(longestRule + 1)
    files.push({ path, source: text.slice(0, longestRule), read: readRule(text, origin) })
  }
  return files
}
