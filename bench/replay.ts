/**
 * Replays real commits of a documentation repository through the agent's edit tools, as a scripted model that knows
 * what each commit did, and compares the resulting tree with the commit's own, byte for byte.
 *
 *   node bench/replay.ts --repository path [--range main~300..main | --commits 300] [--root docs] [--show 20]
 *
 * Nothing of the repository is stored: objects go to a temporary one that borrows from it.
 */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createGit } from '../src/integrations/git/git.ts'
import { openMirror } from '../src/integrations/git/mirrors/open-mirror.ts'
import { replayCommit } from './replay-commit.ts'
import type { CommitReplay } from './replay-commit.ts'

const { values } = parseArgs({
  options: {
    repository: { type: 'string' },
    range: { type: 'string' },
    commits: { type: 'string', default: '300' },
    root: { type: 'string', default: '' },
    show: { type: 'string', default: '20' },
  },
})
if (values.repository === undefined) throw new Error('Give --repository, the path of a git repository')

const source = resolve(values.repository)
const read = (...words: string[]): string =>
  execFileSync('git', ['-C', source, ...words], { encoding: 'utf8', maxBuffer: 1 << 28 }).trim()

const folder = await mkdtemp(join(tmpdir(), 'docwright-replay-'))
try {
  const git = await createGit({ dataFolder: folder, environment: process.env })
  const repository = await openMirror(git, join(folder, 'replay.git'))
  const objects = resolve(source, read('rev-parse', '--git-path', 'objects'))
  await mkdir(join(repository.folder, 'objects/info'), { recursive: true })
  await writeFile(join(repository.folder, 'objects/info/alternates'), `${objects}\n`)

  const selection = values.range === undefined ? ['-n', values.commits, 'HEAD'] : [values.range]
  const pages = ['*.md', '*.mdx', '*.markdown']
  const listed = read('log', '--no-merges', '--format=%H %P', ...selection, '--', ...pages)
  const replays: CommitReplay[] = []
  for (const line of listed.split('\n').filter((text) => text !== '')) {
    const [commit = '', parent] = line.split(' ')
    if (parent === undefined) continue
    const replay = await replayCommit(repository, { commit, parent, root: values.root })
    replays.push(replay)
    for (const problem of replay.problems.slice(0, 5))
      if (replays.flatMap((one) => one.problems).length <= Number(values.show))
        console.log(`${commit.slice(0, 10)} ${problem}`)
  }
  report(replays)
} finally {
  await rm(folder, { recursive: true, force: true })
}

function report(all: readonly CommitReplay[]): void {
  const replays = all.filter(({ files }) => files > 0)
  const sum = (pick: (one: CommitReplay) => number): number =>
    replays.reduce((total, one) => total + pick(one), 0)
  const same = replays.filter(({ reproduced }) => reproduced).length
  const times = replays.flatMap(({ editTimes }) => editTimes).toSorted((a, b) => a - b)
  const time = (share: number): string => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(2)
  console.table({
    'commits replayed': replays.length,
    'commits without a file that the agent may change, or with objects missing': all.length - replays.length,
    'trees byte for byte the same': `${same} (${((100 * same) / Math.max(1, replays.length)).toFixed(1)} %)`,
    'documentation files changed': sum(({ files }) => files),
    'other files of these commits, left out': sum(({ skipped }) => skipped),
    'edits made': sum(({ edits }) => edits),
    'edits refused': sum(({ refused }) => refused),
    'files written whole because an edit was refused or not exact': sum(({ rewritten }) => rewritten),
    'pages moved': sum(({ moved }) => moved),
    'pages deleted': sum(({ deleted }) => deleted),
    'ms per edit call, p50': time(0.5),
    'ms per edit call, p95': time(0.95),
  })
}
