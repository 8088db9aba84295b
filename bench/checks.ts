/**
 * Checks real commits of a documentation repository as if an agent had made them. They were merged, so every error that
 * is listed is either a fault that people overlooked or a false alarm: read them.
 *
 *   node bench/checks.ts --repository path [--commits 50] [--every 1] [--skip 0] [--root docs] [--seconds 120] [--warnings]
 *
 * `--every 5` takes each fifth commit. Nothing of the repository is stored.
 */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { newProblems } from '../src/site/checks/new-problems.ts'
import { FactsCache } from '../src/site/checks/facts-cache.ts'
import { SiteView } from '../src/site/checks/site-view.ts'
import { gitBaseTree } from '../src/features/agent/workspace/git-base-tree.ts'
import { openWorkspace } from '../src/features/agent/workspace/workspace.ts'
import { createGit } from '../src/integrations/git/git.ts'
import { openMirror } from '../src/integrations/git/mirrors/open-mirror.ts'
import { openBlobReader } from '../src/integrations/git/trees/blob-reader.ts'

const { values } = parseArgs({
  options: {
    repository: { type: 'string' },
    commits: { type: 'string', default: '50' },
    every: { type: 'string', default: '1' },
    skip: { type: 'string', default: '0' },
    root: { type: 'string', default: '' },
    seconds: { type: 'string', default: '120' },
    warnings: { type: 'boolean', default: false },
  },
})
if (values.repository === undefined) throw new Error('Give --repository, the path of a git repository')
const source = resolve(values.repository)
const { root } = values
const read = (...words: string[]): string =>
  execFileSync('git', ['-C', source, ...words], { encoding: 'utf8', maxBuffer: 1 << 28 }).trim()

const folder = await mkdtemp(join(tmpdir(), 'docwright-checks-'))
try {
  const git = await createGit({ dataFolder: folder, environment: process.env })
  const repository = await openMirror(git, join(folder, 'checked.git'))
  await mkdir(join(repository.folder, 'objects/info'), { recursive: true })
  const objects = resolve(source, read('rev-parse', '--git-path', 'objects'))
  await writeFile(join(repository.folder, 'objects/info/alternates'), `${objects}\n`)
  const signal = new AbortController().signal
  const cache = new FactsCache()
  const times: number[] = []
  const kinds = new Map<string, number>()
  let withErrors = 0
  const end = performance.now() + Number(values.seconds) * 1000
  for (const { commit, parent } of pageCommits()) {
    if (times.length >= Number(values.commits) || performance.now() > end) break
    await using reader = await openBlobReader(repository)
    const open = async (tree: string) => {
      const workspace = await openWorkspace(gitBaseTree(repository, tree, reader, signal))
      return new SiteView({ files: workspace.base(), root, cache })
    }
    const before = performance.now()
    const problems = await newProblems(await open(parent), await open(commit), {})
    times.push(performance.now() - before)
    const shown = problems.filter(({ severity }) => values.warnings || severity === undefined)
    if (problems.some(({ severity }) => severity === undefined)) withErrors++
    for (const { check, severity } of problems) {
      const kind = `${check} ${severity ?? 'error'}`
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    }
    for (const { check, severity, path, line, message, hint } of shown.slice(0, 6))
      console.log(
        `${commit.slice(0, 10)} ${severity ?? 'error'} ${check} ${path}:${line} ${message} | ${hint ?? ''}`,
      )
    if (shown.length > 6) console.log(`${commit.slice(0, 10)} and ${shown.length - 6} more`)
  }
  times.sort((one, other) => one - other)
  console.log(Object.fromEntries(kinds), {
    commits: times.length,
    withErrors,
    medianMilliseconds: Math.round(times[Math.floor(times.length / 2)] ?? 0),
    mostMilliseconds: Math.round(times.at(-1) ?? 0),
  })
} finally {
  await rm(folder, { recursive: true, force: true })
}

function* pageCommits(): Generator<{ commit: string; parent: string }> {
  const pages = ['md', 'mdx', 'markdown'].map((end) => `:(glob)${root === '' ? '' : `${root}/`}**/*.${end}`)
  const most = Number(values.commits) * Number(values.every) + Number(values.skip)
  const log = read('log', '--no-merges', '--format=%H %P', '-n', String(most), 'HEAD', '--', ...pages)
  for (const [at, line] of log.split('\n').slice(Number(values.skip)).entries()) {
    const [commit = '', parent] = line.split(' ')
    if (parent !== undefined && at % Number(values.every) === 0) yield { commit, parent }
  }
}
