import { AppError } from '../../../lib/errors.ts'
import { decodePath } from './decode-path.ts'
import type { Repository } from '../git.ts'
import { requireObjectId } from '../object-id.ts'
import { GitError, runGit } from '../process/run-git.ts'

/** `line` counts from 1; `text` has no line end and is cut at 1,000 characters. */
export type GrepMatch = { path: string; line: number; text: string }

type GrepOptions = {
  /** Plain text instead of a regular expression. */
  fixed?: boolean | undefined
  ignoreCase?: boolean | undefined
  /** Files and folders to search, taken literally; everything when not given. */
  paths?: readonly string[] | undefined
  /** Matches in all, 1,000 when not given, and per file, 100. */
  limit?: number | undefined
  limitPerFile?: number | undefined
  signal?: AbortSignal | undefined
}

const textKept = 1000

/**
 * Matching lines of the text files of a commit. Binary files, links and submodules are passed over.
 * Regular expressions are Perl's where git was built with them, else POSIX extended ones.
 * @throws AppError `invalid` for a pattern that is empty, malformed or too expensive.
 */
export async function grepTree(
  repository: Repository,
  commit: string,
  pattern: string,
  options: GrepOptions = {},
): Promise<{ matches: GrepMatch[]; truncated: boolean }> {
  if (pattern === '' || pattern.length > 10_000 || /[\0\n]/.test(pattern)) {
    throw new AppError('invalid', 'The search pattern must be one line of 1 to 10,000 characters')
  }
  const limit = options.limit ?? 1000
  const oid = requireObjectId(commit)
  const flavours = options.fixed === true ? ['--fixed-strings'] : ['--perl-regexp', '--extended-regexp']
  for (const flavour of flavours) {
    try {
      const { stdout, truncated } = await grep(repository, oid, flavour, pattern, options)
      const matches = parse(stdout, oid.length + 1, limit)
      return { matches: matches.slice(0, limit), truncated: truncated || matches.length > limit }
    } catch (error) {
      if (!(error instanceof GitError)) throw error
      if (/Perl-compatible/.test(error.stderr) && /not compiled|USE_LIBPCRE/.test(error.stderr)) continue
      throw explain(error)
    }
  }
  throw new AppError('internal', 'git cannot search with regular expressions')
}

async function grep(
  repository: Repository,
  oid: string,
  flavour: string,
  pattern: string,
  options: GrepOptions,
): Promise<{ stdout: Buffer; truncated: boolean }> {
  const args = ['grep', '-z', '-n', '-I', '--no-color', '--no-textconv', '--full-name', flavour]
  if (options.ignoreCase === true) args.push('--ignore-case')
  args.push(
    '--max-count',
    String(options.limitPerFile ?? 100),
    '-e',
    pattern,
    oid,
    '--',
    ...(options.paths ?? []),
  )
  return runGit(repository.git, {
    args,
    folder: repository.folder,
    // Without it, upper and lower case of other alphabets are not the same letters.
    environment: { LC_ALL: 'C.UTF-8' },
    maxBytes: 16 * 1024 * 1024,
    overflow: 'truncate',
    answers: [1],
    deadline: 30_000,
    signal: options.signal,
  })
}

// `<commit>:<path> NUL <line> NUL <text> LF`. Paths may hold line ends, texts may not; what was cut off is left out.
function parse(output: Buffer, prefix: number, limit: number): GrepMatch[] {
  const matches: GrepMatch[] = []
  for (let at = 0; at < output.length && matches.length <= limit;) {
    const pathEnd = output.indexOf(0, at)
    const lineEnd = pathEnd === -1 ? -1 : output.indexOf(0, pathEnd + 1)
    const textEnd = lineEnd === -1 ? -1 : output.indexOf(10, lineEnd + 1)
    if (textEnd === -1) break
    const path = decodePath(output.subarray(at + prefix, pathEnd))
    const text = output.toString('utf8', lineEnd + 1, Math.min(textEnd, lineEnd + 1 + textKept * 4))
    if (path !== undefined) {
      const line = Number(output.toString('latin1', pathEnd + 1, lineEnd))
      matches.push({ path, line, text: text.slice(0, textKept).toWellFormed() })
    }
    at = textEnd + 1
  }
  return matches
}

function explain(error: GitError): AppError {
  if (error.exitCode !== 128) return error
  if (/bad object|not a tree|unable to read|not a valid object/.test(error.stderr)) return error
  const reason = /fatal: ([^\n]*)/.exec(error.stderr)?.[1] ?? 'not understood'
  return new AppError('invalid', `The search pattern does not work: ${reason.slice(0, 300)}`, {
    cause: error,
  })
}
