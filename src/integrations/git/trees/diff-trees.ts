import type { Repository } from '../git.ts'
import { requireObjectId } from '../object-id.ts'
import { runGit } from '../process/run-git.ts'

/** The options of every comparison of two trees, so that a repository's configuration has no effect. */
export const diffArguments = [
  '-r',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-relative',
  '-M',
  '-l2000',
]

// Larger files count as binary: comparing them line by line costs memory and says little.
export const diffConfiguration = [['core.bigFileThreshold', '16m']] as const

/**
 * The unified diff between two commits or trees, renames found. Text that is not UTF-8 is shown with replacement
 * characters. Over `maxBytes` (4 MiB when not given) it ends after a whole line with a note that says so.
 */
export async function diffTrees(
  repository: Repository,
  from: string,
  to: string,
  options: {
    maxBytes?: number | undefined
    /** Only these files, taken literally; all when not given. */
    paths?: readonly string[] | undefined
    /** Unchanged lines around each change; 3 when not given. */
    context?: number | undefined
    signal?: AbortSignal | undefined
  } = {},
): Promise<{ text: string; truncated: boolean }> {
  const maxBytes = options.maxBytes ?? 4 * 1024 * 1024
  const { stdout, truncated } = await runGit(repository.git, {
    args: [
      'diff-tree',
      '-p',
      ...diffArguments,
      `-U${options.context ?? 3}`,
      '--src-prefix=a/',
      '--dst-prefix=b/',
      requireObjectId(from),
      requireObjectId(to),
      ...(options.paths === undefined ? [] : ['--', ...options.paths]),
    ],
    folder: repository.folder,
    config: diffConfiguration,
    maxBytes,
    overflow: 'truncate',
    signal: options.signal,
  })
  if (!truncated) return { text: stdout.toString('utf8'), truncated }
  const whole = stdout.subarray(0, stdout.lastIndexOf(10) + 1).toString('utf8')
  return { text: `${whole}# The diff is longer than ${maxBytes} bytes; the rest is left out.\n`, truncated }
}
