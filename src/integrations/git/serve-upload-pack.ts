import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createGunzip } from 'node:zlib'
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
  return { contentType: 'application/x-git-upload-pack-advertisement', body: answer(child, service) }
}

/**
 * Answers `POST …/git-upload-pack`. The body may be compressed (`contentEncoding` gzip) and holds at most 16 MiB.
 * Leaving the answer unread stops git.
 */
export async function servePack(
  repository: Repository,
  request: Request & { body: Uint8Array; contentEncoding?: string | undefined },
): Promise<ServedPack> {
  const encoding = request.contentEncoding ?? 'identity'
  if (!['identity', 'gzip', 'x-gzip'].includes(encoding)) {
    throw new AppError('invalid', 'The body may only be compressed with gzip')
  }
  const child = await start(repository, request)
  const steps = encoding === 'identity' ? [limited()] : [createGunzip(), limited()]
  pipeline([Readable.from([request.body]), ...steps, child.stdin]).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    // git stops reading a request that it does not understand. Its exit code tells more than the broken pipe.
    if (code === 'EPIPE') return
    const broken = new AppError('invalid', 'The git request is not valid gzip', { cause: error })
    child.kill(code.startsWith('Z_') ? broken : error)
  })
  return { contentType: 'application/x-git-upload-pack-result', body: answer(child, '') }
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

function answer(child: GitProcess, prefix: string): ReadableStream<Uint8Array> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    if (prefix !== '') yield Buffer.from(prefix)
    for await (const chunk of child.stdout) yield chunk
    const exit = await child.finished
    // The client sees that the transfer broke off.
    if (exit.code !== 0) throw new AppError('internal', `git upload-pack failed: ${exit.stderr.slice(-300)}`)
  }
  const stream = Readable.from(chunks(), { objectMode: false })
  // A generator whose answer is never read never starts.
  stream.once('close', () => child.kill(new AppError('unavailable', 'The client is gone')))
  return Readable.toWeb(stream)
}

function limited(maxBytes = 16 * 1024 * 1024): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size > maxBytes) done(new AppError('too_large', 'The git request is larger than 16 MiB'))
      else done(null, chunk)
    },
  })
}
