import { changedTerms, type ChangedTerm, type ChangedText } from './changed-terms.ts'
import { isGeneratedPage } from './generated-page.ts'
import { scoresTogether, type CommitFiles, type TogetherScore } from './history-scores.ts'
import { placesOn, type PagePlaces } from './page-places.ts'
import {
  featuresOf,
  namesScore,
  pathScores,
  scoreTerms,
  weigh,
  type PageFeatures,
  type TermScore,
} from './score-pages.ts'
import type { TermIndex } from './term-index.ts'

export interface BlobFile {
  path: string
  oid: string
}

export interface ImpactTask {
  /** Changed files of code: undefined on the side where there is none. */
  changed: readonly { path: string; before: string | undefined; after: string | undefined }[]
  /** The code after the change. */
  code: readonly BlobFile[]
  /** The documentation before the change; `isPinned`: people have said that a page documents these files. */
  pages: readonly (BlobFile & { isPinned?: true })[]
  /** Files of the commits before, newest first; none where pages and code are in two repositories. */
  history: readonly CommitFiles[]
}

/** Texts of blobs: empty for what is no text or too large, undefined for what the repository lacks. */
export type ReadTexts = (side: 'code' | 'pages', oids: readonly string[]) => Promise<(string | undefined)[]>

export interface AssessedPage {
  path: string
  score: number
  features: PageFeatures
  read: PagePlaces
  isGenerated: boolean
}

export interface Assessment {
  /** By score, the best first. */
  pages: AssessedPage[]
  scores: Map<number, TermScore>
  /** How many files of the code after the change have each term. */
  inCode: Uint32Array
  /** Names that are new and that no page has. */
  unnamed: ChangedTerm[]
  /** Whether all of the code was read. */
  isWhole: boolean
}

const mostIndexedBytes = 128 * 1024 * 1024
const batch = 100

/** Ranks pages by what a change of code says of them. Bounded by the limits of what it reads. */
export async function assess(task: ImpactTask, index: TermIndex, read: ReadTexts): Promise<Assessment> {
  const isWhole = await addAll(index, 'code', task.code, read)
  await addAll(index, 'pages', task.pages, read)
  const texts = await changedTexts(task.changed, read)
  const changed = changedTerms(texts, index.terms)
  const inCode = index.count(task.code.map(({ oid }) => oid))
  const inPages = index.count(task.pages.map(({ oid }) => oid))
  const scores = scoreTerms(
    changed,
    { counts: inPages, all: task.pages.length },
    { counts: inCode, all: task.code.length },
  )
  const unnamed = changed.filter(
    ({ term, fate, kind }) =>
      fate === 'new' && kind === 'name' && inPages[term] === 0 && (inCode[term] ?? 0) <= 3,
  )
  const files = task.changed.map(({ path }) => path)
  const isPage = new Set(task.pages.map(({ path }) => path))
  const together = scoresTogether(task.history, files, (path) => isPage.has(path))
  const paths = pathScores([...isPage], files, scores, index.terms)
  const wanted = new Set(scores.keys())
  const pages: AssessedPage[] = []
  for (let at = 0; at < task.pages.length; at += batch) {
    const some = task.pages.slice(at, at + batch)
    // Most pages have none of the words: those are not read again.
    const named = some.filter(({ oid }) => index.termsOf(oid).some((term) => wanted.has(term)))
    const contents = new Map(
      (
        await read(
          'pages',
          named.map(({ oid }) => oid),
        )
      ).map((text, n) => [named[n]?.path, text] as const),
    )
    for (const { path, isPinned } of some) {
      const text = contents.get(path)
      const places = placesOn(text ?? '', wanted, index.terms)
      const features = featuresOf(
        namesScore(places, scores),
        paths.get(path),
        pinned(together.get(path), isPinned),
      )
      const score = weigh(features)
      if (score > 0)
        pages.push({
          path,
          score,
          features,
          read: places,
          isGenerated: text !== undefined && isGeneratedPage(text),
        })
    }
  }
  pages.sort((one, other) => other.score - one.score || (one.path < other.path ? -1 : 1))
  return { pages, scores, inCode, unnamed, isWhole }
}

async function addAll(
  index: TermIndex,
  side: 'code' | 'pages',
  files: readonly BlobFile[],
  read: ReadTexts,
): Promise<boolean> {
  const missing = files.filter(({ oid }) => !index.has(oid))
  let [bytes, isWhole] = [0, true]
  for (let at = 0; at < missing.length; at += batch) {
    if (bytes > mostIndexedBytes) return false
    const some = missing.slice(at, at + batch)
    for (const [n, text] of (
      await read(
        side,
        some.map(({ oid }) => oid),
      )
    ).entries()) {
      const oid = some[n]?.oid ?? ''
      isWhole &&= text !== undefined
      bytes += text?.length ?? 0
      index.add(oid, text ?? '')
    }
  }
  return isWhole
}

async function changedTexts(changed: ImpactTask['changed'], read: ReadTexts): Promise<ChangedText[]> {
  const texts: ChangedText[] = []
  for (let at = 0; at < changed.length; at += batch) {
    const some = changed.slice(at, at + batch)
    const oids = [
      ...new Set(some.flatMap(({ before, after }) => [before, after].filter((oid) => oid !== undefined))),
    ]
    const contents = new Map((await read('code', oids)).map((text, n) => [oids[n], text] as const))
    for (const { path, before, after } of some) {
      const [old, now] = [contents.get(before), contents.get(after)]
      // A side that cannot be read would look as if all of the other one was changed.
      if ((before !== undefined && old === undefined) || (after !== undefined && now === undefined)) continue
      texts.push({ path, before: old, after: now })
    }
  }
  return texts
}

function pinned(score: TogetherScore | undefined, isPinned: true | undefined): TogetherScore | undefined {
  return isPinned ? { folders: 0, count: 0, ...score, files: 1, pinned: true } : score
}
