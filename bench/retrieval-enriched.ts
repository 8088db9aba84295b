import { stemmer } from 'stemmer'
import { vectorTokens } from '../src/features/docs/enrich/enrich-project.ts'
import { embeddedText, sectionTexts, type SectionText } from '../src/features/docs/enrich/section-texts.ts'
import {
  findNearest,
  storedVector,
  withVectors,
  type PlacedVector,
  type VectorIndex,
} from '../src/features/docs/enrich/vector-index.ts'
import { writeQuestions } from '../src/features/docs/enrich/write-questions.ts'
import { buildSegment } from '../src/features/docs/search/build-segment.ts'
import type { OtherRanking } from '../src/features/docs/search/fuse-rankings.ts'
import { createIndex } from '../src/features/docs/search/search-index.ts'
import { rankPlaces, search } from '../src/features/docs/search/search.ts'
import type { Embedder, Model } from '../src/integrations/models/model.ts'
import type { Page } from '../src/site/pages/page.ts'
import type { Question } from './retrieval-corpus.ts'

/** The rankings of one corpus by what models made of it, each alone and joined with that by words. */
export interface Enriched {
  /** Names of the rankings: `words`, words with the `table` of meanings, what there is besides, and all of them together. */
  names: string[]
  find(name: string, question: Question): Promise<string[]>
  tokens: number
  milliseconds: number[]
}

/** Has models read the sections of pages, as the server does, and keeps what they made in memory. */
export async function enrich(
  pages: readonly Page[],
  { writer, embedder }: { writer: Model | undefined; embedder: Embedder | undefined },
): Promise<Enriched> {
  const { signal } = new AbortController()
  const words = createIndex([buildSegment(pages)])
  const all = pages.flatMap((page) =>
    sectionTexts(page).flatMap((section, slot) => (section === undefined ? [] : [{ page, slot, section }])),
  )
  let vectors: VectorIndex = { parts: [] }
  for (const some of inBatches(all, 48)) {
    if (embedder === undefined) break
    const made = await embedder.embed(
      some.map(({ section }) => embeddedText(section)),
      'document',
      { signal, retries: 3 },
    )
    const placed = some.flatMap(({ page: { path }, slot }, index): PlacedVector[] => {
      const vector = storedVector(made.vectors[index] ?? [])
      return vector === undefined ? [] : [{ path, slot, ...vector }]
    })
    vectors = withVectors(vectors, placed, new Set())
  }
  const written = new Map<SectionText, string>()
  for (const some of inBatches(all, 8)) {
    if (writer === undefined) break
    const made = await writeQuestions(
      writer,
      some.map(({ section }) => section),
      signal,
    )
    for (const [section, { questions, context }] of made.written)
      written.set(section, [...questions, context].join('\n'))
  }
  const asked = createIndex([
    buildSegment(
      pages.map((page) => ({
        ...page,
        title: '',
        url: '',
        description: undefined,
        sections: all
          .filter((one) => one.page === page && written.has(one.section))
          .map(({ slot, section }) => ({
            headings: [],
            anchor: String(slot),
            text: written.get(section) ?? '',
          })),
      })),
    ),
  ])
  const urls = new Map(pages.map(({ path, url }) => [path, url.slice(1)]))
  const paths = new Map(pages.map(({ path, url }) => [url.slice(1), path]))
  const kinds = [...(writer ? ['questions'] : []), ...(embedder ? ['vectors'] : [])]
  const milliseconds: number[] = []
  return {
    names: ['words', 'table', ...kinds, 'fused'],
    tokens: vectorTokens(all.map(({ section }) => section)),
    milliseconds,
    async find(name, { query, exclude = [] }) {
      const request = { query, limit: 60, exclude: exclude.flatMap((id) => paths.get(id) ?? []) }
      const vector = embedder && (await embedder.embed([query], 'query', { signal, retries: 3 })).vectors[0]
      const started = performance.now()
      const { allows, ...byQuestions } = rankPlaces(asked, request)
      const also: OtherRanking[] = []
      if (writer !== undefined) also.push({ kind: 'questions', ...byQuestions })
      if (vector !== undefined) also.push({ kind: 'vectors', ...findNearest(vectors, vector, 120, allows) })
      const alone = also.find(({ kind }) => kind === name)
      if (alone !== undefined) return [...new Set(alone.places.map(({ path }) => urls.get(path) ?? ''))]
      const { hits } = search(words, {
        ...request,
        also: name === 'fused' ? also : [],
        ...(name === 'words' && { without: ['vectors'] }),
      })
      if (name === 'fused') milliseconds.push(performance.now() - started)
      return [...new Set(hits.map(({ url }) => url.slice(1)))]
    },
  }
}

/**
 * A writer of questions for a corpus with known ones: of a third of the words of each paraphrase it leaves one out and
 * turns the others around, for the section of the page that shares most words with it. For every other section it asks
 * what its heading says.
 */
export function scriptedWriter(
  pages: readonly Page[],
  questions: readonly Question[],
): (section: string) => string {
  const texts = new Map(
    pages.map((page) => [page.url.slice(1), sectionTexts(page).flatMap((one) => one ?? [])]),
  )
  const known = new Map<string, string[]>()
  for (const { query, relevant, kind } of questions) {
    if (kind !== 'para') continue
    const wanted = stemsOf(query)
    for (const id of relevant) {
      const [best] = (texts.get(id) ?? []).toSorted((a, b) => shared(b, wanted) - shared(a, wanted))
      if (best === undefined) continue
      const words = query.split(/\s+/).filter((_, at) => at % 3 !== 1)
      known.set(best.text, [...(known.get(best.text) ?? []), `${words.toReversed().join(' ')}?`])
    }
  }
  return (section) => {
    const [head = '', ...rest] = section.split('\n\n')
    const text = rest.join('\n\n').replace(/\n<\/section>\s*$/, '')
    const heading = head.split(/[–:]/).at(-1)?.trim() ?? ''
    return [...(known.get(text) ?? []), `How to do ${heading}?`].map((one) => `Q: ${one}`).join('\n')
  }
}

function inBatches<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size))
}

function shared({ text }: SectionText, wanted: Set<string>): number {
  return [...stemsOf(text)].filter((stem) => wanted.has(stem)).length
}

function stemsOf(text: string): Set<string> {
  return new Set(Array.from(text.toLowerCase().matchAll(/[\p{L}\p{N}]{3,}/gu), ([word]) => stemmer(word)))
}
