/**
 * Measures which pages a change of code touches, on real commits whose authors did or did not change the documentation.
 *
 *   node bench/impact.ts --set dev.jsonl --repositories folder --name owner/name --root docs [--most 400] [--json file]
 *
 * A line of the set has `repository`, `commit`, `parent`, `kind` (`both`, or `code` for commits that left the pages alone) and `edited`, the
 * pages that people edited; `folder` holds git directories by `owner+name`. The pages are read as they were before.
 */
import { readFile, writeFile, mkdtemp, rm } from 'node:fs/promises'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { assessChange } from '../src/features/impact/assess-change.ts'
import { createImpactThread } from '../src/features/impact/impact-thread.ts'
import { createGit } from '../src/integrations/git/git.ts'
import { changedEntries } from '../src/integrations/git/trees/changed-entries.ts'
import { readHistory } from '../src/integrations/git/trees/read-history.ts'
import { isPageFile } from '../src/site/impact/file-kinds.ts'
import { scoresTogether } from '../src/site/impact/history-scores.ts'

const { values } = parseArgs({
  options: {
    set: { type: 'string' },
    repositories: { type: 'string' },
    name: { type: 'string' },
    root: { type: 'string', default: '' },
    most: { type: 'string', default: '400' },
    json: { type: 'string' },
  },
})
const { set, repositories, name, root } = values
if (set === undefined || repositories === undefined || name === undefined)
  throw new Error('Give --set, --repositories and --name')
const change = z.object({
  repository: z.string(),
  commit: z.string(),
  parent: z.string(),
  kind: z.enum(['both', 'code']),
  edited: z.array(z.string()),
})
const lines = (await readFile(set, 'utf8')).trim().split('\n')
const cases = lines
  .map((line) => change.parse(JSON.parse(line)))
  .filter(({ repository }) => repository === name)
  .slice(0, Number(values.most))
const named = join(repositories, name.replace('/', '+'))
const folder = existsSync(join(named, 'repo')) ? join(named, 'repo') : named
const scratch = await mkdtemp(join(tmpdir(), 'docwright-impact-bench-'))
const thread = createImpactThread()
const rows = []
try {
  const git = await createGit({ dataFolder: scratch, environment: process.env })
  const repository = { git, folder }
  const signal = new AbortController().signal
  for (const one of cases) {
    const began = performance.now()
    const code = { repository, from: one.parent, to: one.commit }
    const impact = await assessChange(thread, {
      code,
      docs: { repository, commit: one.parent, root },
      signal,
    })
    const milliseconds = performance.now() - began
    const byScore = impact.pages.toSorted((a, b) => b.score - a.score).map(({ path }) => path)
    const entries = await changedEntries(repository, one.parent, one.commit)
    const files = entries.map(({ path }) => path).filter((path) => !isPageFile(path))
    const history = await readHistory(repository, { to: one.parent, most: 3000 })
    const isDocs = (path: string): boolean => isPageFile(path) && path.startsWith(root)
    const together = [...scoresTogether(history, files, isDocs)]
      .toSorted(([, a], [, b]) => b.files - a.files || b.folders - a.folders)
      .map(([path]) => path)
    const sections = one.edited
      .filter((path) => byScore.slice(0, 10).includes(path))
      .map((path) => {
        const lines = editedLines(one.parent, one.commit, path)
        const findings = impact.pages.find((page) => page.path === path)?.findings ?? []
        return findings.some(({ lines: [from, to] }) => lines.some((line) => line >= from && line <= to))
      })
    rows.push({
      ...one,
      milliseconds,
      rank: rankOf(byScore, one.edited),
      rankTogether: rankOf(together, one.edited),
      certain: impact.pages.filter(({ level }) => level === 'certain').map(({ path }) => path),
      likely: impact.pages.filter(({ level }) => level === 'likely').map(({ path }) => path),
      top: impact.pages.slice(0, 5).map(({ path, score, level, why }) => ({ path, score, level, why })),
      sections,
    })
  }
} finally {
  thread.stop()
  await rm(scratch, { recursive: true, force: true })
}
if (values.json !== undefined) await writeFile(values.json, JSON.stringify(rows))
const documented = rows.filter(({ kind, edited }) => kind === 'both' && edited.length > 0)
const silent = rows.filter(({ kind }) => kind === 'code')
const certain = documented.flatMap((row) => row.certain.map((path) => row.edited.includes(path)))
const sections = documented.flatMap((row) => row.sections)
const times = rows.map((row) => row.milliseconds).toSorted((a, b) => a - b)
console.log(
  JSON.stringify({
    name,
    documented: documented.length,
    silent: silent.length,
    first5: share(documented.map(({ rank }) => rank <= 5)),
    first10: share(documented.map(({ rank }) => rank <= 10)),
    together5: share(documented.map(({ rankTogether }) => rankTogether <= 5)),
    together10: share(documented.map(({ rankTogether }) => rankTogether <= 10)),
    sections: [share(sections), sections.length],
    certainRight: [certain.filter(Boolean).length, certain.length],
    certainAlarms: silent.filter((row) => row.certain.length > 0).length,
    likelyHit: share(
      documented.map((row) => [...row.certain, ...row.likely].some((path) => row.edited.includes(path))),
    ),
    likelyAlarms: share(silent.map((row) => row.certain.length + row.likely.length > 0)),
    alarmPages: silent.reduce((sum, row) => sum + row.certain.length + row.likely.length, 0),
    p50: Math.round(times[Math.floor(times.length / 2)] ?? 0),
    slowest: Math.round(times.at(-1) ?? 0),
    mb: Math.round(process.resourceUsage().maxRSS / 1024),
  }),
)

function rankOf(pages: readonly string[], edited: readonly string[]): number {
  return Math.min(Infinity, ...edited.map((path) => pages.indexOf(path) + 1).filter((rank) => rank > 0))
}

function share(all: readonly boolean[]): number {
  return all.length === 0 ? 0 : Math.round((100 * all.filter(Boolean).length) / all.length)
}

/** Lines of the page before that were changed, and where others were added. */
function editedLines(from: string, to: string, path: string): number[] {
  const diff = execFileSync('git', ['-C', folder, 'diff', '-U0', from, to, '--', path], { encoding: 'utf8' })
  return Array.from(diff.matchAll(/^@@ -(\d+)(?:,(\d+))?/gm), ([, line, count = '1']) =>
    Array.from({ length: Math.max(1, Number(count)) }, (_, n) => Number(line) + n),
  ).flat()
}
