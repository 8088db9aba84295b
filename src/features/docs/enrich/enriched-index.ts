import { setImmediate } from 'node:timers/promises'
import { createTextThread } from '../../../lib/threads/text-thread.ts'
import type { Page } from '../../../site/pages/page.ts'
import type { Reader, Store } from '../../../store/database.ts'
import type { BuildThread } from '../build-index.worker.ts'
import { type PackedPage, packPage } from '../pages.ts'
import { buildSegment } from '../search/build-segment.ts'
import {
  createIndex,
  needsCompaction,
  pathsOf,
  withoutPages,
  withSegment,
  type SearchIndex,
} from '../search/search-index.ts'
import { openSegment, type Segment } from '../search/segment.ts'
import type { EnrichmentSettings } from './enrichment.ts'
import { readQuestionRows } from './section-questions.ts'
import { readVectors } from './section-vectors.ts'
import { withVectors, type PlacedVector, type VectorIndex } from './vector-index.ts'

/** What enriches the search of one project. The index of its pages knows nothing of it. */
export interface EnrichedIndex {
  /** Every page, with what a model wrote about its sections as text; the anchor is the section's number. */
  questions: SearchIndex
  vectors: VectorIndex
  revision: number
}

export const noEnrichedIndex: EnrichedIndex = {
  questions: createIndex([]),
  vectors: { parts: [] },
  revision: 0,
}

/** Pages whose segment takes less time than starting a thread. */
const few = 50
const atOnce = 100

interface Row {
  path: string
  sections: [hash: string, bytes: number][]
  language: string | null
  version: string | null
  groups: string[]
  tags: string[]
}

/** The index with what was written since. */
export async function updateEnrichedIndex(
  store: Store,
  projectId: string,
  settings: EnrichmentSettings,
  { index, revision }: { index: EnrichedIndex; revision: number },
): Promise<EnrichedIndex> {
  const { db } = store
  const paths = await pathsSince(db, projectId, index.revision)
  let { vectors } = index
  const pages = async function* (): AsyncGenerator<Page[]> {
    for (let at = 0; at < paths.length; at += atOnce) {
      const rows = await readRows(db, projectId, paths.slice(at, at + atOnce))
      const hashes = [...new Set(rows.flatMap(({ sections }) => sections.map(([hash]) => hash)))]
      vectors = await addVectors(db, projectId, settings.vectors, { vectors, rows, hashes })
      const questionsByHash =
        settings.questions === undefined
          ? new Map<string, never>()
          : await readQuestionRows(db, projectId, settings.questions, hashes)
      if (rows.length > 0)
        yield rows.map((row) =>
          pageOf(row, (hash) => {
            const entry = questionsByHash.get(hash)
            return entry === undefined ? '' : [...entry.questions, entry.context].join('\n')
          }),
        )
      await setImmediate()
    }
  }
  const segment = await segmentOf(pages(), paths.length)
  const added = await withSegment(index.questions, segment, [])
  const all = new Set(await pathsSince(db, projectId, 0))
  const removed: string[] = []
  if (added.pages !== all.size)
    for await (const path of pathsOf(added)) if (!all.has(path)) removed.push(path)
  const questions = await withoutPages(added, removed)
  return { questions, vectors: withVectors(vectors, [], new Set(removed)), revision }
}

/** Whether an index has so many replaced pages that it should be made from the beginning. */
export function isWorn({ questions }: EnrichedIndex): boolean {
  return needsCompaction(questions)
}

async function pathsSince(db: Reader, projectId: string, revision: number): Promise<string[]> {
  const rows = await db
    .selectFrom('enriched_pages')
    .select('path')
    .where('project_id', '=', projectId)
    .where('revision', '>', revision)
    .orderBy('path')
    .execute()
  return rows.map(({ path }) => path)
}

async function readRows(db: Reader, projectId: string, paths: string[]): Promise<Row[]> {
  return db
    .selectFrom('enriched_pages as read')
    .innerJoin('pages', (join) =>
      join.onRef('pages.project_id', '=', 'read.project_id').onRef('pages.path', '=', 'read.path'),
    )
    .select(['read.path', 'read.sections', 'pages.language', 'pages.version', 'pages.groups', 'pages.tags'])
    .where('read.project_id', '=', projectId)
    .where('read.path', 'in', paths)
    .execute()
}

async function addVectors(
  db: Reader,
  projectId: string,
  model: string | undefined,
  { vectors, rows, hashes }: { vectors: VectorIndex; rows: Row[]; hashes: string[] },
): Promise<VectorIndex> {
  const vectorOf =
    model === undefined ? new Map<string, never>() : await readVectors(db, projectId, model, hashes)
  const placed = rows.flatMap(({ path, sections }) =>
    sections.flatMap(([hash], slot): PlacedVector[] => {
      const vector = vectorOf.get(hash)
      return vector === undefined ? [] : [{ path, slot, ...vector }]
    }),
  )
  return withVectors(vectors, placed, new Set(rows.map(({ path }) => path)))
}

/** A page whose sections are what was written about them. */
function pageOf(
  { path, sections, language, version, groups, tags }: Row,
  textOf: (hash: string) => string,
): Page {
  return {
    path,
    url: '',
    title: '',
    description: undefined,
    language: language ?? undefined,
    version: version ?? undefined,
    groups,
    tags,
    sections: sections.flatMap(([hash], slot) => {
      const text = hash === '' ? '' : textOf(hash)
      return text === '' ? [] : [{ headings: [], anchor: String(slot), text }]
    }),
  }
}

async function segmentOf(batches: AsyncGenerator<Page[]>, count: number): Promise<Segment> {
  if (count <= few) {
    const pages: Page[] = []
    for await (const some of batches) pages.push(...some)
    return buildSegment(pages)
  }
  const thread = createTextThread<BuildThread>(new URL('../build-index.worker.ts', import.meta.url), {
    deadline: 60_000,
    memory: 2048,
  })
  try {
    const answer = async (): Promise<PackedPage[]> => {
      const next = await batches.next()
      return next.done === true ? [] : next.value.map(packPage)
    }
    const buffer = await thread.run({ file: undefined, site: undefined }, { answer })
    if (buffer === undefined) throw new Error('The thread has not answered with a segment')
    return openSegment(buffer)
  } finally {
    thread.stop()
  }
}
