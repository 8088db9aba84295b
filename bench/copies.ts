/**
 * Copies pages of a repository, as they are and as an editor would change them, and judges the copies: nothing of them
 * is new to the site.
 *
 *   node bench/copies.ts --repository path [--root docs] [--pages 60] [--show 40]
 *
 * Prints what is held or to be looked at, and what judging costs. Nothing of the repository is stored.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openBaseSite } from '../src/features/agent/policy/base-site.ts'
import { checkContent } from '../src/features/agent/policy/check-content.ts'
import { gitBaseTree } from '../src/features/agent/workspace/git-base-tree.ts'
import { openWorkspace } from '../src/features/agent/workspace/workspace.ts'
import { openBlobReader } from '../src/integrations/git/trees/blob-reader.ts'
import { FactsCache } from '../src/site/checks/facts-cache.ts'
import { SiteView } from '../src/site/checks/site-view.ts'
import { readText } from '../src/site/text/encoding.ts'
import { withOtherWords } from '../tests/copied-pages/other-words.ts'
import { openJudgedRepository } from './judged-repository.ts'

const { values } = parseArgs({
  options: {
    repository: { type: 'string' },
    root: { type: 'string', default: '' },
    pages: { type: 'string', default: '60' },
    show: { type: 'string', default: '40' },
  },
})
if (values.repository === undefined) throw new Error('Give --repository, the path of a git repository')
const source = resolve(values.repository)
const { root } = values
const git = (...words: string[]): string =>
  execFileSync('git', ['-C', source, ...words], { encoding: 'utf8', maxBuffer: 1 << 28 }).trim()

const pageOf = /\.(?:md|mdx|markdown|rst|adoc)$/
const folder = await mkdtemp(join(tmpdir(), 'docwright-copies-'))
try {
  const objects = resolve(source, git('rev-parse', '--git-path', 'objects'))
  const repository = await openJudgedRepository(folder, objects)
  await using reader = await openBlobReader(repository)
  const commit = git('rev-parse', 'HEAD')
  const workspace = await openWorkspace(gitBaseTree(repository, commit, reader, new AbortController().signal))
  const base = new SiteView({ files: workspace.base(), root, cache: new FactsCache() })
  const site = await openBaseSite(workspace, base)
  const { framework, pages } = await base.site()
  const some = spread(
    [...base.oids().keys()].filter((path) => pageOf.test(path) && path.startsWith(root)),
    Number(values.pages),
  )
  const found = { copies: new Set<string>(), changed: new Set<string>(), held: new Set<string>() }
  let [shown, milliseconds, slowest] = [0, 0, 0]
  for (const path of some) {
    const text = readText(await workspace.readBase(path))
    for (const [kind, after] of [['copies', text] as const, ['changed', withOtherWords(text)] as const]) {
      const copy = path.replace(/\.\w+$/, '-again$&')
      const start = performance.now()
      const violations = await checkContent(
        [{ path: copy, before: undefined, after: Buffer.from(after) }],
        site,
      )
      const took = performance.now() - start
      milliseconds += took
      slowest = Math.max(slowest, took)
      for (const { line, message, degree } of violations) {
        found[kind].add(path)
        if (degree === undefined) found.held.add(`${kind} ${path}`)
        if (shown++ < Number(values.show))
          console.log(`${kind} ${degree ?? 'held'} ${path}:${line ?? ''} ${message.replace(/\. [^.]*$/, '')}`)
      }
    }
  }
  console.log({
    framework,
    sitePages: pages.length,
    judged: some.length,
    copies: found.copies.size,
    changed: found.changed.size,
    held: found.held.size,
    milliseconds: Math.round(milliseconds),
    slowest: Math.round(slowest),
  })
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** At most so many of a list, from all of it. */
function spread<One>(list: readonly One[], count: number): One[] {
  const step = Math.max(1, list.length / count)
  return list
    .filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
    .slice(0, count)
}
