import { isMainThread } from 'node:worker_threads'

// Imported into a server of a test: from SIGUSR2 on, each turn of its event loop takes a tenth of a second, in which nothing is worked.
if (isMainThread)
  process.once('SIGUSR2', () => {
    const nobody = new Int32Array(new SharedArrayBuffer(4))
    setInterval(() => void Atomics.wait(nobody, 0, 0, 100), 1).unref()
  })
