import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { AppError } from '../lib/errors.ts'

/**
 * Locks a file for this process alone, made when it is not there. The lock is the operating system's, so it ends
 * with the process however that dies, in containers too where process ids repeat.
 * @param patience milliseconds to wait for whoever holds it
 * @returns undefined when another process holds it
 */
export async function lockFile(path: string, patience = 0): Promise<Disposable | undefined> {
  const sqlite = loadSqlite()
  return sqlite ? lockBySqlite(new sqlite(path, { timeout: patience })) : lockByProgram(path, patience)
}

// A lock is an exclusive transaction on a database of its own, whose file nobody else reads.
function lockBySqlite(database: DatabaseSync): Disposable | undefined {
  try {
    database.exec('begin exclusive')
    return { [Symbol.dispose]: () => database.close() }
  } catch (error) {
    database.close()
    if (isBusy(error)) return undefined
    throw error
  }
}

/**
 * The same, where a process on Node 20 must not get the lock beside one on a newer Node: each of them sees only
 * locks of its own kind, so both kinds are taken, where the machine can.
 */
export async function lockFileForAll(path: string, patience: number): Promise<Disposable | undefined> {
  const lock = await lockFile(path, patience)
  if (!lock || !loadSqlite()) return lock
  const forOlder = await lockByProgram(path, patience).catch(() => nothing)
  if (!forOlder) {
    lock[Symbol.dispose]()
    return undefined
  }
  return {
    [Symbol.dispose]() {
      forOlder[Symbol.dispose]()
      lock[Symbol.dispose]()
    },
  }
}

const nothing: Disposable = { [Symbol.dispose]() {} }

// Node 20 has no SQLite. There a program locks the open file that it inherits, and the lock stays when it ends. It
// is a file of its own, because closing any descriptor of a file would end SQLite's lock on it.
async function lockByProgram(path: string, patience: number): Promise<Disposable | undefined> {
  const descriptor = openSync(`${path}.flock`, 'a')
  try {
    const wait = patience === 0 ? ['--nonblock'] : ['--timeout', String(patience / 1000)]
    const child = spawn('flock', ['--exclusive', ...wait, '3'], {
      stdio: ['ignore', 'ignore', 'ignore', descriptor],
    })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code === 0) return { [Symbol.dispose]: () => closeSync(descriptor) }
    closeSync(descriptor)
    if (code === 1) return undefined
    throw new Error(`flock ended with ${code}`)
  } catch (cause) {
    if (!isMissing(cause)) throw cause
    closeSync(descriptor)
    throw new AppError(
      'unavailable',
      `Node ${process.versions.node} needs the program flock (util-linux) to lock files, which is not installed: install it, or use Node 22.13 or later`,
      { cause },
    )
  }
}

function loadSqlite(): typeof DatabaseSync | undefined {
  return process.getBuiltinModule('node:sqlite')?.DatabaseSync
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (error.errcode === 5 || error.errcode === 6)
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
