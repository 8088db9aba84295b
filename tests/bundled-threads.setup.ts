import { existsSync } from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { askRun } from './ask-run.ts'

// Threads of the product run from the program in one piece where the run has one already: to start one of hundreds of files of
// the source costs up to a second of CPU, a third of it this way. Once for all test files of a process.

const source = resolve(import.meta.dirname, '../src')
const shared: typeof globalThis & { docwrightPlainWorker?: typeof Worker } = globalThis
// Names of a module cannot be set; those of what `require` gives can, and are then brought over.
const threads = createRequire(import.meta.url)('node:worker_threads') as { Worker: typeof Worker }
const PlainWorker = (shared.docwrightPlainWorker ??= threads.Worker)
const program = z
  .string()
  .optional()
  .parse((await askRun('/built-program')) ?? undefined)

if (program !== undefined) {
  threads.Worker = class extends PlainWorker {
    constructor(file: string | URL, options?: ConstructorParameters<typeof Worker>[1]) {
      super(inProgram(file), options)
    }
  }
  syncBuiltinESMExports()
}

function inProgram(file: string | URL): string | URL {
  if (program === undefined || !(file instanceof URL) || file.protocol !== 'file:') return file
  const path = fileURLToPath(file)
  if (!path.startsWith(source) || !path.endsWith('.worker.ts')) return file
  const bundled = join(dirname(program), '../dist', basename(path).replace(/\.ts$/, '.js'))
  return existsSync(bundled) ? pathToFileURL(bundled) : file
}
