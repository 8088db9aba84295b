import { type BlobRead, openBlobReader } from './blob-reader.ts'
import type { Repository } from './git.ts'

/**
 * The files of many ids through one git process, in the given order, a window at a time: memory stays at one window.
 * Files over `maxBytes` (8 MiB when not given) come as `too_large`, ids that are no file's as `missing`.
 */
export async function* readBlobs(
  repository: Repository,
  oids: Iterable<string>,
  options: {
    maxBytes?: number | undefined
    signal?: AbortSignal | undefined
    deadline?: number | undefined
  } = {},
): AsyncGenerator<BlobRead, void> {
  await using reader = await openBlobReader(repository, {
    ...options,
    deadline: options.deadline ?? 1_800_000,
  })
  for (const window of windows(oids, 100)) yield* await reader.readSome(window)
}

function* windows(oids: Iterable<string>, size: number): Generator<string[]> {
  let window: string[] = []
  for (const oid of oids) {
    window.push(oid)
    if (window.length < size) continue
    yield window
    window = []
  }
  if (window.length > 0) yield window
}
