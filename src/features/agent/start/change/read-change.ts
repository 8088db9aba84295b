import { changedFiles, type ChangedFile } from '../../../../integrations/git/trees/changed-files.ts'
import { diffTrees } from '../../../../integrations/git/trees/diff-trees.ts'
import { ThreadFailure } from '../../../../lib/threads/text-thread.ts'
import type { RangePage } from '../../../../site/impact/combine.ts'
import { foldedAs } from '../../../../site/impact/file-kinds.ts'
import type { NamedChange } from '../../../../site/impact/findings.ts'
import type { AboutChangeColumn, ChangedNameColumn, CodeChangeColumn } from '../../../../store/columns.ts'
import { describeAboutChange } from '../../about-change.ts'
import { holdsSecrets } from '../../policy/protected-files.ts'
import type { TurnRun } from '../../turns/turn-run.ts'
import { numberDiff } from '../../workspace/numbered-diff.ts'
import { findChange, type FoundChange } from './find-change.ts'

const mostFiles = 300
const mostListed = 100
/** Of the diff in which names are looked for. */
const mostDiffBytes = 2 * 1024 * 1024
/** Characters of the diff that a model reads: of all files, and of one. */
const mostShown = 40_000
const mostOfOne = 12_000
const mostNames = 40
const mostPlaces = 6
const mostRanked = 15
const mostTogether = 15
const mostGenerated = 20
const longestMessage = 4000

/**
 * A change of code with what the documentation at `docs` says of it, for the first message of a job that documents it.
 * @throws TurnFailure `change_not_found`, and passing errors of the host
 */
export async function readChange(
  run: TurnRun,
  about: AboutChangeColumn,
  docs: string,
): Promise<CodeChangeColumn> {
  const { signal } = run
  const change = await findChange(run, about, docs)
  const { repository, from, to, message } = change
  const all = await changedFiles(repository, from, to)
  const files = all.slice(0, mostFiles).map((file) => ({ file, folded: foldedAs(file.path, file.binary) }))
  const unfolded = files
    .filter(({ file, folded }) => folded === undefined && !isSecret(file))
    .map(({ file }) => file)
  const paths = [...new Set(unfolded.flatMap(({ path, oldPath }) => [path, oldPath ?? path]))]
  const diff =
    paths.length === 0
      ? { text: '', truncated: false }
      : await diffTrees(repository, from, to, { maxBytes: mostDiffBytes, paths, signal })
  const known = await impactOf(run, change, docs)
  const cut = cutDiff(numberDiff(diff.text.trimEnd()))
  return {
    repository: about.repository === undefined ? null : `@${about.repository}`,
    name: describeAboutChange(about),
    id: to,
    parent: from,
    message: message.slice(0, longestMessage).toWellFormed(),
    files: files.slice(0, mostListed).map(({ file, folded }) => ({
      path: file.path,
      ...(file.oldPath !== undefined && { oldPath: file.oldPath }),
      status: file.status,
      additions: file.additions,
      deletions: file.deletions,
      ...(folded && { folded }),
    })),
    moreFiles: Math.max(0, all.length - mostListed),
    diff: cut.text,
    truncated: cut.truncated || diff.truncated || all.length > mostFiles,
    ...known,
  }
}

function isSecret({ path, oldPath = '' }: ChangedFile): boolean {
  return holdsSecrets(path) || holdsSecrets(oldPath)
}

type Known = Pick<CodeChangeColumn, 'names' | 'together' | 'generated' | 'pages' | 'unread'>

async function impactOf(run: TurnRun, { repository, from, to }: FoundChange, docs: string): Promise<Known> {
  const { project, signal } = run
  const known: Known = { names: [], together: [], generated: [] }
  try {
    const { pages, names, undocumented } = await run.ports.impact({
      code: { repository, from, to },
      docs: { repository: project.repository, commit: docs, root: project.root },
      signal,
    })
    return {
      ...known,
      names: [
        ...names.flatMap((one) => placesOf(one, pages)),
        ...undocumented.map(({ name }) => ({ name, change: 'new' as const, places: [], morePages: 0 })),
      ].slice(0, mostNames),
      together: pages
        .filter(({ together }) => together > 0)
        .toSorted((one, other) => other.together - one.together)
        .slice(0, mostTogether)
        .map(({ path, together }) => ({ path, count: together })),
      generated: pages
        .filter(({ isGenerated }) => isGenerated)
        .map(({ path }) => path)
        .slice(0, mostGenerated),
      pages: pages.slice(0, mostRanked).map(({ path, level, why }) => ({ path, level, why })),
    }
  } catch (error) {
    if (!(error instanceof ThreadFailure)) throw error
    return { ...known, unread: 'The change or the pages are too large to be compared.' }
  }
}

const changes = {
  removed: 'removed',
  renamed: 'removed',
  new: 'new',
  value: 'changed',
  changed: 'changed',
} as const

function placesOf({ name, fate }: NamedChange, pages: readonly RangePage[]): ChangedNameColumn[] {
  const places = pages.flatMap(({ path, findings }) => {
    const [place] = findings.flatMap((one) => one.places).filter((one) => one.name === name)
    return place === undefined ? [] : [{ path, line: place.line, text: place.text }]
  })
  if (places.length === 0) return []
  const morePages = Math.max(0, places.length - mostPlaces)
  return [{ name, change: changes[fate], places: places.slice(0, mostPlaces), morePages }]
}

/** Each file in part, so that a long one leaves room for the others. */
function cutDiff(diff: string): { text: string; truncated: boolean } {
  const parts = diff === '' ? [] : diff.split(/^(?=diff --git )/m)
  const texts: string[] = []
  let left = mostShown
  let truncated = false
  for (const part of parts) {
    const most = Math.min(left, mostOfOne)
    if (part.length <= most) texts.push(part)
    else {
      truncated = true
      const lines = part.slice(0, Math.max(0, part.lastIndexOf('\n', most)))
      if (lines !== '') texts.push(`${lines}\n… (the rest of this file is left out)\n`)
    }
    left -= Math.min(part.length, most)
  }
  return { text: texts.join('').trimEnd(), truncated }
}
