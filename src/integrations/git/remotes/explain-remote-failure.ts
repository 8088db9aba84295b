import { AppError } from '../../../lib/errors.ts'
import { machineTrouble } from '../../../lib/machine-trouble.ts'
import { GitError, refusedLogin } from '../process/run-git.ts'
import { type Remote, remoteName } from '../remote.ts'

// What git says where a partial clone lacks an object that is asked for.
const partialClone = /from promisor remote|lazy fetching disabled/

const otherFormat = /mismatched algorithms/

type Explanation = [
  pattern: RegExp,
  code: 'invalid' | 'unauthorized' | 'forbidden' | 'not_found' | 'unavailable',
  text: string | ((match: RegExpExecArray) => string),
]

const newerGit = 'update git on the server, or add a clone of it that is made with the default formats'

/** What an operator can do about a repository with extensions that are newer than git here. */
function newerFormat(extensions: readonly string[]): string {
  const what = `uses ${extensions.map((name) => `extensions.${name}`).join(', ')}, which this server’s git does not know`
  return extensions.every((name) => name === 'refstorage')
    ? `${what}: update git on the server to 2.45 or later, or run "git refs migrate --ref-format=files" in the repository`
    : `${what}: ${newerGit}`
}

const unknownName = 'could not be reached: its host name is unknown'

// The first pattern that matches decides, so their order matters.
const explanations: readonly Explanation[] = [
  [
    refusedLogin,
    'unauthorized',
    'requires authentication. The repository is private or doesn’t exist. Check the URL and provide a token with read access',
  ],
  [/archived/i, 'forbidden', 'is archived and can’t be changed. Unarchive it, or delete the project'],
  [
    /remote: [^\n]{0,200}: No space left on device/,
    'unavailable',
    'has no room on its disk: try again later',
  ],
  [
    /remote: [^\n]{0,200}(?:size|too large|exceed)/i,
    'forbidden',
    'does not take that much: it is over a limit of its host; ask for less at once',
  ],
  [
    partialClone,
    'invalid',
    'is a partial clone, which lacks files of its history: run "git fetch --refetch --no-filter" in it to get them, then sync again',
  ],
  [
    /corruption on the remote side|remote: fatal: (?:bad|unable to read|missing) /,
    'invalid',
    'is damaged, because objects of its history are missing: "git fsck" in it names them; repair it or clone it again, then sync again',
  ],
  // These come before what git adds to them about access rights.
  [
    /unknown repository extensions? found:((?:\s*\n\t[^\n]{1,100}){1,10})/,
    'invalid',
    ([, names = '']) => newerFormat(names.trim().split(/\s+/)),
  ],
  [
    /unknown repository (?:object format|ref storage|extension)|unknown (?:hash algorithm|ref storage format|object format)|invalid value for 'extensions\./,
    'invalid',
    `has a format that this server’s git does not know: ${newerGit}`,
  ],
  [
    /Expected git repo version/,
    'invalid',
    `has a newer version of git’s format than this server’s git reads: ${newerGit}`,
  ],
  [/returned error: 403/, 'forbidden', 'refuses access: the credential may not do this'],
  [
    /returned error: 3\d\d|unable to update url base from redirection/,
    'invalid',
    'redirects to another URL. Enter the final one',
  ],
  [/repository '[^\n]{0,1000}' not found|returned error: 404/, 'not_found', 'was not found. Check the URL'],
  [
    /dubious ownership/,
    'forbidden',
    'belongs to another user and git does not trust it: register this folder',
  ],
  [
    /does not appear to be a git repository|is this a git repository|not a git repository|gitfile/,
    'invalid',
    'is not a git repository. Enter the root of a repository',
  ],
  [
    otherFormat,
    'invalid',
    'names its objects in another way than the repository that it goes with (SHA-1, SHA-256)',
  ],
  [/Could not resolve host/, 'unavailable', unknownName],
  [/Could not resolve proxy/, 'unavailable', 'could not be reached: the name of the proxy is unknown'],
  [
    /SSL|certificate/i,
    'unavailable',
    'has an untrusted TLS certificate. Set NODE_EXTRA_CA_CERTS to its CA certificate file',
  ],
  [
    /Failed to connect|Connection (?:refused|reset|timed out)|timed out|early EOF|hung up|unexpected disconnect|unable to access|returned error: (?:429|5\d\d)|RPC failed/,
    'unavailable',
    'could not be reached: try again later',
  ],
  [/Permission denied/, 'forbidden', 'may not be read by this process: check the permissions'],
]

/** A remote repository that could not be reached or refused the request. */
export class RemoteUnreachable extends AppError {
  /** Whether the same request may succeed later without anyone's help. */
  readonly passing: boolean
  /** Whether its host name has no address. To who has just typed it that is a mistake; later it is an outage. */
  readonly isUnknownName: boolean

  constructor(
    message: string,
    { passing, isUnknownName = false, cause }: { passing: boolean; isUnknownName?: boolean; cause: unknown },
  ) {
    super('unavailable', message, { cause })
    this.name = 'RemoteUnreachable'
    this.passing = passing
    this.isUnknownName = isUnknownName
  }
}

/** Whether a remote has refused what git asked for, as against being away. */
export function isRefusalOfGit(error: unknown): boolean {
  if (error instanceof RemoteUnreachable || !(error instanceof AppError)) return false
  return error.code !== 'unavailable' && error.cause instanceof GitError
}

/** Whether git was about to change a remote, as against reading it. */
export function isOfPush(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof GitError && error.cause.command === 'push'
}

/** Whether a fetch failed because the other repository is a partial clone. */
export function isOfPartialClone(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof GitError && partialClone.test(error.cause.stderr)
}

/** Whether a fetch failed because two repositories name their objects differently. */
export function isOtherFormat(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof GitError && otherFormat.test(error.cause.stderr)
}

// From the name service, which is asked before git where an address has to be checked.
function isUnknownName(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'getaddrinfo'
}

// A page of a proxy or of a host in maintenance, in place of what git expects.
const noGit =
  /not valid: is this a git repository|protocol error|bad line length|bad band|expected (?:flush|packfile|response)|invalid server response/

/**
 * Turns what git says about another repository into an error that names the repository and what to do.
 * @param known `isKnown`: git has been answered there before, so an answer that is none is an outage
 */
export function explainRemoteFailure(
  error: unknown,
  remote: Remote,
  { isKnown = false }: { isKnown?: boolean } = {},
): unknown {
  if (isKnown && remote.kind === 'url' && error instanceof GitError && noGit.test(error.stderr))
    return new RemoteUnreachable(
      `${remoteName(remote)} answers with something else than git, such as the page of a proxy: try again later`,
      { passing: true, cause: error },
    )
  if (error instanceof AppError && error.code === 'unavailable' && /took longer than/.test(error.message))
    return new RemoteUnreachable(`${remoteName(remote)} did not answer in time`, {
      passing: true,
      cause: error,
    })
  if (isUnknownName(error))
    return new RemoteUnreachable(`${remoteName(remote)} ${unknownName}`, {
      passing: true,
      isUnknownName: true,
      cause: error,
    })
  if (!(error instanceof GitError) || machineTrouble(error)) return error
  // The name of a repository may hold any words, so it is removed before matching.
  const said = error.stderr.replaceAll(/'[^'\s]*'/g, "''")
  const explanation = firstMatch(said)
  if (explanation === undefined) return error
  const { code, text } = explanation
  const message = `${remoteName(remote)} ${text}`
  // Only a person can repair a certificate.
  if (code === 'unavailable')
    return new RemoteUnreachable(message, {
      passing: !/certificate/.test(text),
      isUnknownName: text === unknownName,
      cause: error,
    })
  return new AppError(code, message, { cause: error })
}

function firstMatch(said: string): { code: Explanation[1]; text: string } | undefined {
  for (const [pattern, code, text] of explanations) {
    const match = pattern.exec(said)
    if (match) return { code, text: typeof text === 'string' ? text : text(match) }
  }
  return undefined
}
