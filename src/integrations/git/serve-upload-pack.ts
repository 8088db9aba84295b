import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AppError } from '../../lib/errors.ts'
import { createFairQueue } from '../../lib/fair-queue.ts'
import type { Repository } from './git.ts'
import { type GitProcess, startGit } from './process/start-git.ts'

/** The answer to hand to an HTTP client, status 200, as it is. */
export type ServedPack = { contentType: string; body: ReadableStream<Uint8Array> }

type Request = {
  /** The request's `Git-Protocol` header. */
  protocol?: string | undefined
  signal?: AbortSignal | undefined
  /** Told why git failed, for the log. */
  onFailure?: ((error: AppError) => void) | undefined
}

// Branches and tags are for everyone with a key; references of our own (and a checkout's stash) are not.
const visible = [
  ['uploadpack.hideRefs', 'refs/'],
  ['uploadpack.hideRefs', '!refs/heads/'],
  ['uploadpack.hideRefs', '!refs/tags/'],
] as const

/** Answers `GET …/info/refs?service=git-upload-pack`. There is no receive-pack: what is served can only be read. */
export async function serveReferences(repository: Repository, request: Request): Promise<ServedPack> {
  const child = await start(repository, request, '--http-backend-info-refs')
  child.stdin.end()
  const service = version(request.protocol) === '2' ? '' : '001e# service=git-upload-pack\n0000'
  const first = { value: Buffer.from(service) }
  const rest = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  return {
    contentType: 'application/x-git-upload-pack-advertisement',
    body: answer(child, request, first, rest),
  }
}

/**
 * Answers `POST …/git-upload-pack`. Leaving the answer unread stops git.
 * @throws AppError `invalid` for a body that git does not understand
 */
export async function servePack(
  repository: Repository,
  request: Request & { body: Uint8Array },
): Promise<ServedPack> {
  const child = await start(repository, request)
  child.stdin.end(request.body)
  const chunks = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  // Nothing is sent before git says something: without a word there is nothing to clone from in the answer.
  const first = await chunks.next()
  const exit = first.done === true ? await child.finished : undefined
  if (exit && exit.code !== 0) {
    const cause = failureOf(exit)
    request.onFailure?.(cause)
    throw new AppError('invalid', 'The request body is not a request of git’s upload-pack protocol', {
      cause,
    })
  }
  return { contentType: 'application/x-git-upload-pack-result', body: answer(child, request, first, chunks) }
}

/**
 * Packing a large repository takes hundreds of megabytes, so few clones run at once, and no repository may take all
 * places.
 */
const served = createFairQueue({ atOnce: 8, each: 4, waiting: { each: 100, all: 1000 } })

async function start(repository: Repository, request: Request, ...flags: string[]): Promise<GitProcess> {
  const leave = await served.enter(repository.folder, 1, request.signal)
  try {
    const child = await startUploadPack(repository, request, flags)
    child.finished.then(leave, leave)
    return child
  } catch (error) {
    leave()
    throw error
  }
}

function startUploadPack(repository: Repository, request: Request, flags: string[]): Promise<GitProcess> {
  const protocol = version(request.protocol)
  return startGit(repository.git, {
    args: ['upload-pack', '--strict', '--stateless-rpc', '--timeout=60', ...flags, '--', repository.folder],
    // A repository that another user owns is trusted because the caller chose it, as a registered folder is.
    remote: { kind: 'folder', folder: repository.folder },
    config: visible,
    environment: protocol === undefined ? {} : { GIT_PROTOCOL: `version=${protocol}` },
    signal: request.signal,
    deadline: 1_800_000,
  })
}

// Only a plain version reaches git; anything else is answered like an old client.
function version(header: string | undefined): string | undefined {
  return /^version=([012])$/.exec(header ?? '')?.[1]
}

function answer(
  child: GitProcess,
  { onFailure }: Request,
  first: IteratorResult<Uint8Array, unknown>,
  rest: AsyncIterator<Uint8Array>,
): ReadableStream<Uint8Array> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const isRefusal = first.done !== true && refusal.test(Buffer.from(first.value).toString('latin1', 0, 8))
    for (let next = first; next.done !== true; next = await rest.next()) yield next.value
    const exit = await child.finished
    // A refusal in git's own words is a whole answer.
    if (exit.code === 0 || isRefusal) return
    const error = failureOf(exit)
    onFailure?.(error)
    // The client sees that the transfer broke off.
    throw error
  }
  const stream = Readable.from(chunks(), { objectMode: false })
  // A generator whose answer is never read never starts.
  stream.once('close', () => child.kill(new AppError('unavailable', 'The client no longer exists')))
  return Readable.toWeb(stream)
}

const refusal = /^[0-9a-f]{4}ERR /

function failureOf({ stderr }: { stderr: string }): AppError {
  return new AppError('internal', `git upload-pack failed: ${stderr.slice(-300).trim()}`)
}
