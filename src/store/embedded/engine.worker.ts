import { constants, cpSync } from 'node:fs'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import {
  describeFailure,
  isCrash,
  largestCopied,
  type EngineReply,
  type EngineRequest,
  type EngineStart,
} from './engine-messages.ts'
import { PrivateNodeFS, unpackCluster } from './unpack-cluster.ts'

/**
 * Shared buffers of the embedded store. They are resident memory from the start, and the system's cache holds the
 * rest.
 */
const settings = ['shared_buffers=16MB']
/** Bytes that are kept for the next answer. */
const largestMemory = 1024 * 1024
/** How the engine leaves a statement that has failed. */
const longJump = 100

const { folder, archive, port, count } = workerData as EngineStart
const inMemory = folder === 'memory://'

const post = (reply: EngineReply): void => {
  const isLarge = reply instanceof Uint8Array && reply.length > largestCopied
  parentPort?.postMessage(reply, isLarge ? [reply.buffer as ArrayBuffer] : [])
}

async function open(): Promise<PGlite> {
  if (!inMemory && archive === undefined) await unpackCluster(folder)
  const pglite = await PGlite.create({
    ...(inMemory ? { dataDir: folder } : { fs: new PrivateNodeFS(folder) }),
    startParams: [...PGlite.defaultStartParams, ...settings.flatMap((setting) => ['-c', setting])],
    ...(archive && { loadDataDir: archive }),
  })
  tellCrashes(pglite.Module)
  return pglite
}

// PGlite takes no notice of what ends its program, and would go round in a circle for ever. The owner then ends this
// thread.
function tellCrashes(program: PGlite['Module']): void {
  const once = program._PostgresMainLoopOnce
  program._PostgresMainLoopOnce = () => {
    try {
      once()
    } catch (error) {
      const isUsual = error instanceof Error && 'status' in error && error.status === longJump
      if (!isUsual && isCrash(describeFailure(error))) post({ failed: describeFailure(error) })
      throw error
    }
  }
}

let room = new Uint8Array(largestCopied)
let length = 0

function collect(bytes: Uint8Array): void {
  if (length + bytes.length > room.length) {
    const larger = new Uint8Array(Math.max(room.length * 2, length + bytes.length))
    larger.set(room.subarray(0, length))
    room = larger
  }
  room.set(bytes, length)
  length += bytes.length
}

/** Only moves bytes: what they mean is read by the owner. */
async function exchange(pglite: PGlite, message: Uint8Array): Promise<Uint8Array> {
  length = 0
  await pglite.execProtocolRawStream(message, { syncToFs: false, onRawData: collect })
  const answers = room.slice(0, length)
  if (room.length > largestMemory) room = new Uint8Array(largestCopied)
  return answers
}

async function answer(pglite: PGlite, request: EngineRequest): Promise<Uint8Array> {
  if (request instanceof Uint8Array) return exchange(pglite, request)
  if (request.kind === 'dump') return new Uint8Array(await (await pglite.dumpDataDir('gzip')).arrayBuffer())
  if (request.kind === 'copy')
    cpSync(folder, request.to, { recursive: true, mode: constants.COPYFILE_FICLONE, errorOnExist: true })
  else await pglite.close()
  return new Uint8Array()
}

async function work(): Promise<never> {
  const pglite = await open()
  post(new Uint8Array())
  const counts = new Int32Array(count)
  for (let seen = 0; ;) {
    Atomics.wait(counts, 0, seen)
    seen = Atomics.load(counts, 0)
    for (let one = receiveMessageOnPort(port); one !== undefined; one = receiveMessageOnPort(port))
      post(
        await answer(pglite, one.message as EngineRequest).catch((error: unknown) => ({
          failed: describeFailure(error),
        })),
      )
  }
}

work().catch((error: unknown) => post({ failed: describeFailure(error) }))
