import { bytesText } from '../../lib/text/bytes-text.ts'
import { mkdir, open, rm, statfs, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../lib/errors.ts'
import { MachineTrouble, machineTrouble, troubleFor, type Trouble } from '../../lib/machine-trouble.ts'

/** Whether this machine can take work: room on the disk of the data folder, files that can be opened, memory. */
export interface Machine extends Disposable {
  /** The state at the last look. */
  trouble(): Trouble | undefined
  /** Looks at the machine now; `after` is the error that gave reason to. */
  look(after?: unknown): Promise<Trouble | undefined>
  /** Bytes that are free on the disk of the data folder, as they were a moment ago. */
  freeBytes(): number
}

export interface MachineOptions {
  dataFolder: string
  /** Free bytes below which no new work is accepted, so that work under way can still be recorded. */
  minFreeBytes: number
  /** Called when trouble begins, and when it ends. */
  onChange?: (now: Trouble | undefined, before: Trouble | undefined) => void
  /** Stands in for the system in tests. */
  system?: MachineSystem
}

export interface MachineSystem {
  /** Of the file system that holds the folder. */
  free(folder: string): Promise<{ bytes: number; files: number }>
  /** Tries the file operations that all work needs. @throws the system's error */
  tryFiles(folder: string): Promise<void>
}

const every = 1000
/** Looks between two tries of files while all is well. */
const triedEvery = 10
/** Milliseconds for which missing memory is assumed to last, because it cannot be tried. */
const memoryLasts = 15_000

/**
 * Looks at the machine every second. It throws nothing: `trouble` tells about a machine in trouble from the start.
 */
export async function watchMachine(options: MachineOptions): Promise<Machine> {
  const { dataFolder, minFreeBytes, onChange, system = realSystem } = options
  let present: Trouble | undefined
  let freeBytes = 0
  let looks = 0
  let memoryUntil = 0

  async function find(triesFiles: boolean): Promise<Trouble | undefined> {
    try {
      const free = await system.free(dataFolder)
      freeBytes = free.bytes
      if (free.bytes < minFreeBytes || free.files === 0) return troubleFor('no_space')
      if (triesFiles) await system.tryFiles(dataFolder)
    } catch (error) {
      return machineTrouble(error) ?? troubleFor('disk_error')
    }
    return performance.now() < memoryUntil ? troubleFor('no_memory') : undefined
  }

  async function look(triesFiles: boolean): Promise<Trouble | undefined> {
    const now = await find(triesFiles)
    const before = present
    present = now
    if (now?.reason !== before?.reason) onChange?.(now, before)
    return now
  }

  await look(true)
  let isLooking = false
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    void look(present !== undefined || ++looks % triedEvery === 0).finally(() => {
      isLooking = false
    })
  }, every).unref()
  return {
    trouble: () => present,
    look: (after) => {
      if (isOwnMemory(after)) memoryUntil = performance.now() + memoryLasts
      return look(true)
    },
    freeBytes: () => freeBytes,
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

/** Before work is taken. @throws MachineTrouble */
export function requireMachine(machine: Pick<Machine, 'trouble'>): void {
  const trouble = machine.trouble()
  if (trouble) throw new MachineTrouble(trouble)
}

/** For people. @throws AppError when there is less than a server needs to take work, or no folder */
export async function describeSpace(dataFolder: string, minFreeBytes: number): Promise<string> {
  const { bytes } = await realSystem.free(dataFolder).catch((cause: unknown) => {
    throw new AppError('unavailable', `There is no data folder ${dataFolder} yet`, { cause })
  })
  const free = `${bytesText(bytes)} free below ${dataFolder}`
  if (bytes >= minFreeBytes) return free
  throw new AppError(
    'unavailable',
    `Only ${free}. Jobs wait while less than ${bytesText(minFreeBytes)} is free (DOCWRIGHT_MIN_FREE_MB). Free up space`,
  )
}

// git's messages about memory may be due to one repository, and are no reason to refuse all others.
function isOwnMemory(error: unknown): boolean {
  return !(error instanceof Error && 'stderr' in error) && machineTrouble(error)?.reason === 'no_memory'
}

const realSystem: MachineSystem = {
  async free(folder) {
    const { bavail, bsize, files, ffree } = await statfs(folder)
    // Some file systems count no files.
    return { bytes: bavail * bsize, files: files === 0 ? 1 : ffree }
  },
  async tryFiles(folder) {
    const tried = join(folder, 'git', 'tmp')
    await mkdir(tried, { recursive: true })
    const paths = Array.from({ length: filesTried }, (_, index) => join(tried, `try-${process.pid}-${index}`))
    const handles: FileHandle[] = []
    try {
      for (const path of paths) handles.push(await open(path, 'w', 0o600))
      await handles[0]?.writeFile(page)
    } finally {
      await Promise.all(handles.map((handle) => handle.close()))
      await Promise.all(paths.map((path) => rm(path, { force: true })))
    }
  },
}

/** As many as starting git takes. */
const filesTried = 8
const page = Buffer.alloc(4096)
