import { appendFileSync, writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { readUnderWay, type WatchdogTask } from './watchdog.ts'

const tick = 1000

// Counted in ticks of this thread, not by the clock: while the process is suspended, neither thread runs.
const { shared, seconds, file } = workerData as WatchdogTask
const beats = new Int32Array(shared, 0, 2)
/** Waits without an event loop: nothing ever notifies this address. */
const nobody = new Int32Array(new SharedArrayBuffer(4))

let last = -1
let still = 0
let since = 0
while (!isStuck()) {
  Atomics.wait(nobody, 0, 0, tick)
  const beat = Atomics.load(beats, 0)
  const isDebugged = Atomics.load(beats, 1) === 1
  if (beat !== last || isDebugged) [still, since] = [0, usedSeconds()]
  else still++
  last = beat
}

// A process that hardly gets the processor, on an overloaded machine, is given five times as long.
function isStuck(): boolean {
  return still >= seconds && (usedSeconds() - since >= seconds / 2 || still >= seconds * 5)
}

function usedSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

const underWay = readUnderWay(shared)
const line = {
  level: 60,
  time: Date.now(),
  pid: process.pid,
  underWay,
  msg: `Main thread blocked for ${still} s. Exiting. Under way: ${underWay.join(', ') || 'nothing that was noted'}`,
}
try {
  appendFileSync(file, underWay.map((name) => `${name}\n`).join(''))
  writeSync(2, `${JSON.stringify(line)}\n`)
} finally {
  // The main thread handles no signals now, so only the system can end it.
  process.kill(process.pid, 'SIGKILL')
}
