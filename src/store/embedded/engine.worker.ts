import { constants, cpSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { describeFailure, isCrash, type EngineReply, type EngineRequest, type EngineTask } from './engine-messages.ts'
import { PrivateNodeFS, unpackCluster } from './unpack-cluster.ts'

/**
 * Shared buffers of the embedded store. They are resident memory from the start, and the system's cache holds the
 * rest.
 */
const settings = ['shared_buffers=16MB']
/** How the engine leaves a statement that has failed. */
const longJump = 100
const firstSize = 16 * 1024

const { folder, archive } = workerData as EngineTask
const inMemory = folder === 'memory://'

const post = (reply: EngineReply): void =>
  parentPort?.postMessage(reply, reply instanceof Uint8Array ? [reply.buffer as ArrayBuffer] : [])

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

/** Only moves bytes: what they mean is read by the owner. */
async function exchange(pglite: PGlite, message: Uint8Array): Promise<Uint8Array> {
  let bytes = new Uint8Array(firstSize)
  let length = 0
  await pglite.execProtocolRawStream(message, {
    syncToFs: false,
    onRawData(more) {
      if (length + more.length > bytes.length) {
        const larger = new Uint8Array(Math.max(bytes.length * 2, length + more.length))
        larger.set(bytes.subarray(0, length))
        bytes = larger
      }
      bytes.set(more, length)
      length += more.length
    },
  })
  return bytes.slice(0, length)
}

async function answer(pglite: PGlite, request: EngineRequest): Promise<Uint8Array> {
  if (request instanceof Uint8Array) return exchange(pglite, request)
  if (request.kind === 'dump') return new Uint8Array(await (await pglite.dumpDataDir('gzip')).arrayBuffer())
  if (request.kind === 'copy')
    cpSync(folder, request.to, { recursive: true, mode: constants.COPYFILE_FICLONE, errorOnExist: true })
  else await pglite.close()
  return new Uint8Array()
}

const opened = open()
opened.then(
  () => post(new Uint8Array()),
  (error: unknown) => post({ failed: describeFailure(error) }),
)
let working: Promise<unknown> = opened
parentPort?.on('message', (request: EngineRequest) => {
  working = working
    .then(async () => post(await answer(await opened, request)))
    .catch((error: unknown) => post({ failed: describeFailure(error) }))
})
