import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import MiniSearch from 'minisearch'
import { createSegmentBuilder } from '../src/features/docs/search/build-segment.ts'
import { createIndex } from '../src/features/docs/search/search-index.ts'
import { search } from '../src/features/docs/search/search.ts'
import { readSegment, writeSegment } from '../src/features/docs/search/segment-file.ts'
import { pageOf, type CorpusDocument } from './retrieval-corpus.ts'

/** An engine with one corpus in it, ready to be asked. */
export interface Engine {
  find: (query: string, exclude: Set<string>) => string[]
  /** Seconds of building, reading and cutting the corpus included for both engines. */
  buildSeconds: number
  loadMilliseconds: number
  fileMegabytes: number
  /** What stays in memory: typed arrays and heap, after a collection. */
  memoryMegabytes: number
}

export async function buildOurs(documents: Iterable<CorpusDocument>, folder: string): Promise<Engine> {
  const started = performance.now()
  const builder = createSegmentBuilder()
  const paths = new Map<string, string>()
  for (const document of documents) {
    builder.add(pageOf(document))
    paths.set(document.id, document.path)
  }
  const file = join(folder, 'segment')
  const built = builder.finish()
  const buildSeconds = (performance.now() - started) / 1000
  await writeSegment(built, file)
  const before = memory()
  const loading = performance.now()
  const index = createIndex([await readSegment(file)])
  const loadMilliseconds = performance.now() - loading
  return {
    find(query, exclude) {
      const excluded = [...exclude].flatMap((id) => paths.get(id) ?? [])
      return search(index, { query, limit: 10, exclude: excluded }).hits.map((hit) => hit.url.slice(1))
    },
    buildSeconds,
    loadMilliseconds,
    fileMegabytes: (await stat(file)).size / 1e6,
    memoryMegabytes: memory() - before,
  }
}

/** Pages as documents, with the field weights that serve it best on these questions. */
export function buildMiniSearch(documents: Iterable<CorpusDocument>): Engine {
  const before = memory()
  const started = performance.now()
  const mini = new MiniSearch({ fields: ['title', 'headings', 'path', 'text'] })
  for (const document of documents) {
    const headings = pageOf(document).sections.flatMap((section) => section.headings.slice(-1))
    mini.add({
      id: document.id,
      title: document.title,
      headings: headings.join('\n'),
      path: document.id.replaceAll(/[/-]/g, ' '),
      text: document.text,
    })
  }
  const buildSeconds = (performance.now() - started) / 1000
  const memoryMegabytes = memory() - before
  const text = JSON.stringify(mini)
  const loading = performance.now()
  MiniSearch.loadJSON(text, { fields: ['title', 'headings', 'path', 'text'] })
  const loadMilliseconds = performance.now() - loading
  return {
    find: (query, exclude) =>
      mini
        .search(query, { boost: { title: 3, headings: 2 }, filter: (hit) => !exclude.has(String(hit.id)) })
        .slice(0, 10)
        .map((hit) => String(hit.id)),
    buildSeconds,
    loadMilliseconds,
    fileMegabytes: Buffer.byteLength(text) / 1e6,
    memoryMegabytes,
  }
}

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

function memory(): number {
  if (typeof collect === 'function') collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}
