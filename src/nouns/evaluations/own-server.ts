import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { AppError } from '../../lib/errors.ts'
import { connect, type ServerClient } from '../../cli/server-client.ts'

/** A server that this process has to itself. It ends with it, however that ends. */
export interface OwnServer extends AsyncDisposable {
  client: ServerClient
  /** Aborts when the server ends by itself. */
  ended: AbortSignal
}

/** The option of `serve` by which a server ends when the process that started it does. */
export const untilInputEnds = '--until-input-ends'

const startDeadline = 600_000
const stopDeadline = 15_000
const keptOutput = 4000

/**
 * Starts a server on a new data folder, with an embedded database and a free port of this machine.
 * @param environment as `serverEnvironment` makes it
 */
export async function startOwnServer(
  dataFolder: string,
  { environment, signal }: { environment: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<OwnServer> {
  await mkdir(dataFolder, { recursive: true })
  const [, script = ''] = process.argv
  const child = spawn(
    process.execPath,
    [script, 'serve', '--no-demo', '--port', '0', '--data', dataFolder, untilInputEnds],
    { env: environment, stdio: ['pipe', 'pipe', 'pipe'] },
  )
  let output = ''
  const keep = (text: string): void => void (output = `${output}${text}`.slice(-keptOutput))
  child.stderr.setEncoding('utf8').on('data', keep)
  // A process that was not started, or has ended, closes it.
  child.stdin.on('error', () => undefined)
  const ended = new AbortController()
  const gone = new Promise<void>((done) => {
    child.once('error', ({ message }) => {
      keep(message)
      done()
    })
    child.once('close', () => done())
  })
  void gone.then(() =>
    ended.abort(new AppError('unavailable', `The server of the evaluation ended: ${lastLines(output)}`)),
  )
  const stop = async (): Promise<void> => {
    const timer = setTimeout(() => child.kill('SIGKILL'), stopDeadline)
    child.kill('SIGTERM')
    await gone
    clearTimeout(timer)
  }
  try {
    await new Promise<void>((ready, fail) => {
      const timer = setTimeout(
        () => fail(new AppError('unavailable', 'The server of the evaluation did not start in time')),
        startDeadline,
      )
      createInterface({ input: child.stdout }).on('line', (line) => {
        keep(`${line}\n`)
        if (!line.startsWith('ready ')) return
        clearTimeout(timer)
        // What it said until then explains nothing that comes later.
        output = ''
        ready()
      })
      const end = (reason: unknown): void => {
        clearTimeout(timer)
        fail(reason)
      }
      ended.signal.addEventListener('abort', () => end(ended.signal.reason), { once: true })
      signal.addEventListener('abort', () => end(signal.reason), { once: true })
      if (signal.aborted) end(signal.reason)
    })
    return { client: await connect(dataFolder), ended: ended.signal, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-3).join(' ') || 'it said nothing'
}
