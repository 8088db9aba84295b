/**
 * Judges real commits of a documentation repository as if an agent had made them: whatever the policy refuses is a
 * false alarm, or must have a good explanation.
 *
 *   node bench/policy.ts --repository path [--commits 300] [--root docs] [--show 50]
 *
 * Only commits that change nothing but pages count. Nothing of the repository is stored.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { FactsCache } from '../src/site/checks/facts-cache.ts'
import { SiteView } from '../src/site/checks/site-view.ts'
import { gitBaseTree } from '../src/features/agent/workspace/git-base-tree.ts'
import { checkChanges } from '../src/features/agent/policy/check-changes.ts'
import type { Violation } from '../src/features/agent/policy/violation.ts'
import { checkContent } from '../src/features/agent/policy/check-content.ts'
import { newHosts } from '../src/features/agent/policy/new-hosts.ts'
import { openBaseSite } from '../src/features/agent/policy/base-site.ts'
import { treeDifferences } from '../src/features/agent/workspace/tree-differences.ts'
import { openWorkspace } from '../src/features/agent/workspace/workspace.ts'
import { openBlobReader } from '../src/integrations/git/trees/blob-reader.ts'
import { openJudgedRepository } from './judged-repository.ts'

const { values } = parseArgs({
  options: {
    repository: { type: 'string' },
    commits: { type: 'string', default: '300' },
    root: { type: 'string', default: '' },
    show: { type: 'string', default: '50' },
  },
})
if (values.repository === undefined) throw new Error('Give --repository, the path of a git repository')
const source = resolve(values.repository)
const { root } = values
const read = (...words: string[]): string =>
  execFileSync('git', ['-C', source, ...words], { encoding: 'utf8', maxBuffer: 1 << 28 }).trim()

const folder = await mkdtemp(join(tmpdir(), 'docwright-policy-'))
try {
  const objects = resolve(source, read('rev-parse', '--git-path', 'objects'))
  const repository = await openJudgedRepository(folder, objects)
  const signal = new AbortController().signal
  const cache = new FactsCache()
  const kinds = new Map<string, number>()
  let [judged, refused, milliseconds, withHosts, shown] = [0, 0, 0, 0, 0]
  for (const { commit, parent } of pageCommits()) {
    if (judged >= Number(values.commits)) break
    await using reader = await openBlobReader(repository)
    const workspace = await openWorkspace(gitBaseTree(repository, parent, reader, signal))
    const base = new SiteView({ files: workspace.base(), root, cache })
    const differences = await treeDifferences(repository, parent, commit)
    // Objects of old commits may be missing from a snapshot.
    if (differences.some(({ after }) => after?.length === 1)) continue
    const { configPaths, navigationFiles } = await base.site()
    const before = performance.now()
    const opened = await openBaseSite(workspace, base)
    const site = { ...opened, paths: [...opened.paths, ...differences.map(({ path }) => path)] }
    const found: Violation[] = [
      ...checkChanges(differences, { root, configPaths, navigationFiles }, site.pages),
      ...(await checkContent(differences, site)),
    ]
    milliseconds += performance.now() - before
    judged++
    if ((await newHosts(differences, site)).length > 0) withHosts++
    if (found.length === 0) continue
    refused++
    for (const kind of new Set(found.map(kindOf))) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    for (const { path, line, message } of found.slice(0, 4))
      if (shown++ < Number(values.show))
        console.log(`${commit.slice(0, 10)} ${path}:${line ?? ''} ${message}`)
  }
  console.log([...kinds].sort((one, other) => other[1] - one[1]))
  console.log({
    judged,
    refused,
    share: `${((100 * refused) / Math.max(1, judged)).toFixed(1)} %`,
    withNewHosts: withHosts,
    millisecondsEach: Math.round(milliseconds / Math.max(1, judged)),
  })
} finally {
  await rm(folder, { recursive: true, force: true })
}

function kindOf({ code, message }: Violation): string {
  const words = message.replace(/^It would add /, '').split(' ')
  return `${code}: ${words.slice(0, 4).join(' ')}`
}

function* pageCommits(): Generator<{ commit: string; parent: string }> {
  const format = '--format=%x00%H %P'
  const log = read('log', '--no-merges', format, '--no-renames', '--name-only', '-n', '6000', 'HEAD')
  for (const entry of log.split('\0').slice(1)) {
    const [head = '', ...files] = entry.split('\n').filter((line) => line !== '')
    const [commit = '', parent] = head.split(' ')
    const inside = files.every(
      (file) => file.startsWith(root === '' ? '' : `${root}/`) && /\.mdx?$/.test(file),
    )
    if (parent !== undefined && files.length > 0 && inside) yield { commit, parent }
  }
}
