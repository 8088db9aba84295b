import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { killGroup } from './start-process.ts'
import { headLength, type SpawnOrder, type SpawnReport } from './spawner.ts'

const [path = ''] = process.argv.slice(2)
const running = new Set<number>()

process.on('message', (order) => {
  start(order as SpawnOrder).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
    tell({ id: (order as SpawnOrder).id, state: 'failed', code, message: String(error) })
  })
})

// The server has ended, so everything that it started ends too.
process.on('disconnect', () => {
  for (const pid of running) killGroup(pid)
  rmSync(dirname(path), { recursive: true, force: true })
  process.exit()
})

// A terminal sends these signals to every process of the server. The server ends the helper when its own work is
// done.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

async function start({ id, program, args, cwd, env }: SpawnOrder): Promise<void> {
  const sockets = await Promise.all([0, 1, 2].map((stream) => openStream(`${id} ${stream}`)))
  const child = startWith(sockets, { program, args, cwd, env })
  // Watched at once, because the server may end before the program was reported to run.
  if (child.pid !== undefined) running.add(child.pid)
  child.on('exit', (code, signal) => {
    if (child.pid !== undefined) running.delete(child.pid)
    tell({ id, state: 'ended', code, signal })
  })
  await once(child, 'spawn')
  if (child.pid === undefined) return
  tell({ id, state: 'started', pid: child.pid })
}

// The helper's own ends of the streams would keep them open.
function startWith(sockets: Socket[], { program, args, cwd, env }: Omit<SpawnOrder, 'id'>): ChildProcess {
  try {
    return spawn(program, [...args], { cwd, env, detached: true, stdio: sockets })
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

async function openStream(head: string): Promise<Socket> {
  const socket = connect(path).on('error', () => {})
  await once(socket, 'connect')
  await new Promise((resolve) => socket.write(head.padEnd(headLength), resolve))
  return socket
}

function tell(report: SpawnReport): void {
  // Nothing is sent to a server that has ended. The helper learns that from the closed channel.
  process.send?.(report, undefined, undefined, () => {})
}
