import { AppError } from './errors.ts'

/** Why this machine cannot go on now, and may later by itself. */
export interface Trouble {
  reason: TroubleReason
  /** One sentence for people, without a full stop. */
  message: string
}

export type TroubleReason = 'no_space' | 'read_only' | 'disk_error' | 'no_files' | 'no_memory'

const sentences: Readonly<Record<TroubleReason, string>> = {
  no_space: 'The disk of this server is full',
  read_only: 'The disk of this server doesn’t accept writes',
  disk_error: 'The disk of this server fails',
  no_files: 'This server has too many files and connections open',
  no_memory: 'This server is out of memory or of processes',
}

export const troubleReasons = Object.keys(sentences) as TroubleReason[]

export function troubleFor(reason: TroubleReason): Trouble {
  return { reason, message: sentences[reason] }
}

/** The machine is in trouble: work that needs it is refused, or waits. */
export class MachineTrouble extends AppError {
  readonly trouble: Trouble

  constructor(trouble: Trouble, options?: ErrorOptions) {
    super('unavailable', `${trouble.message}; it takes work again automatically when that is over`, options)
    this.name = 'MachineTrouble'
    this.trouble = trouble
  }
}

/** The system's error numbers, and SQLite's codes of the same. The store names its own trouble. */
const codes: Readonly<Record<string, TroubleReason>> = {
  ENOSPC: 'no_space',
  EDQUOT: 'no_space',
  EFBIG: 'no_space',
  SQLITE_13: 'no_space',
  EROFS: 'read_only',
  SQLITE_8: 'read_only',
  EIO: 'disk_error',
  SQLITE_10: 'disk_error',
  SQLITE_14: 'disk_error',
  EMFILE: 'no_files',
  ENFILE: 'no_files',
  ENOMEM: 'no_memory',
  SQLITE_7: 'no_memory',
}

/** What git says of them, at the end of a line, where no name of a file stands. */
const words: readonly (readonly [RegExp, TroubleReason])[] = [
  [/: (?:No space left on device|Disk quota exceeded|File too large)$/m, 'no_space'],
  [/: Read-only file system$/m, 'read_only'],
  [/: Input\/output error$/m, 'disk_error'],
  [/: Too many open files(?: in system)?$/m, 'no_files'],
  [
    /: Cannot allocate memory$|\bOut of memory, \w{1,10} failed|^fatal: unable to create thread:/m,
    'no_memory',
  ],
  [/^(?:fatal|error): (?:cannot|unable to) (?:fork|create (?:async )?(?:process|thread))\b/m, 'no_memory'],
]

const mostCauses = 8

/** The trouble of this machine that an error or one of its causes means; undefined for other errors. */
export function machineTrouble(error: unknown): Trouble | undefined {
  let at = error
  for (let depth = 0; depth < mostCauses && at instanceof Error; depth++) {
    if (at instanceof MachineTrouble) return at.trouble
    const reason = codes[codeOf(at)] ?? ('stderr' in at ? reasonIn(String(at.stderr)) : undefined)
    if (reason !== undefined) return troubleFor(reason)
    at = at.cause
  }
  return undefined
}

/** The trouble of this machine that git's standard error means. Lines of the remote are about another machine. */
export function reasonIn(stderr: string): TroubleReason | undefined {
  const lines = stderr.slice(-textRead).split(/[\r\n]+/)
  const own = lines.filter((line) => !line.startsWith('remote:')).join('\n')
  return words.find(([pattern]) => pattern.test(own))?.[1]
}

const textRead = 16 * 1024

function codeOf(error: Error): string {
  if ('errcode' in error && typeof error.errcode === 'number') return `SQLITE_${error.errcode & 0xff}`
  if (!('code' in error)) return ''
  // The system has no process left for the program. Elsewhere the same code means "later".
  const isStart = 'syscall' in error && String(error.syscall).startsWith('spawn')
  return error.code === 'EAGAIN' && isStart ? 'ENOMEM' : String(error.code)
}
