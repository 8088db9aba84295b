import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import MiniSearch from 'minisearch'
import { createSegmentBuilder } from '../src/features/docs/search/build-segment.ts'
import { createIndex } from '../src/features/docs/search/search-index.ts'
import { search } from '../src/features/docs/search/search.ts'
import { readSegment, writeSegment } from '../src/features/docs/search/segment.ts'
import { pageOf, type CorpusDocument } from './retrieval-corpus.ts'

/** A search engine that has indexed one corpus. */
export interface Engine {
  find: (query: string, exclude: Set<string>) => string[]
  /** Seconds for building the index, including reading and splitting the corpus for both engines. */
  buildSeconds: number
  loadMilliseconds: number
  fileMegabytes: number
  /** The memory of typed arrays and heap after a garbage collection. */
  memoryMegabytes: number
}

export async function buildOurs(
  documents: Iterable<CorpusDocument>,
  folder: string,
): Promise<Engine & { findByWords: Engine['find'] }> {
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
  const loadMilliseconds = await leastTime(async () => createIndex([await readSegment(file)]))
  const before = await memory()
  const index = createIndex([await readSegment(file)])
  const memoryMegabytes = (await memory()) - before
  const findWithout = (query: string, exclude: Set<string>, without: string[]): string[] => {
    const excluded = [...exclude].flatMap((id) => paths.get(id) ?? [])
    const { hits } = search(index, { query, limit: 50, exclude: excluded, without })
    return [...new Set(hits.map((hit) => hit.url.slice(1)))]
  }
  return {
    find: (query, exclude) => findWithout(query, exclude, []),
    findByWords: (query, exclude) => findWithout(query, exclude, ['vectors']),
    buildSeconds,
    loadMilliseconds,
    fileMegabytes: (await stat(file)).size / 1e6,
    memoryMegabytes,
  }
}

/** Indexes pages as documents, with the field weights that give the best results on these questions. */
export async function buildMiniSearch(documents: Iterable<CorpusDocument>): Promise<Engine> {
  const before = await memory()
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
  const memoryMegabytes = (await memory()) - before
  const text = JSON.stringify(mini)
  const loadMilliseconds = await leastTime(() =>
    MiniSearch.loadJSON(text, { fields: ['title', 'headings', 'path', 'text'] }),
  )
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

/**
 * Megabytes of heap and array buffers in use. Freed buffers are only returned one turn of the event loop after the
 * collection.
 */
async function memory(): Promise<number> {
  for (let turn = 0; turn < 3; turn++) {
    if (typeof collect === 'function') collect()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}

/** Milliseconds, the least of three runs: the others include other work of the machine. */
async function leastTime(load: () => unknown): Promise<number> {
  let least = Infinity
  for (let run = 0; run < 3; run++) {
    const started = performance.now()
    await load()
    least = Math.min(least, performance.now() - started)
  }
  return least
}
