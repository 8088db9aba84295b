import { isMainThread } from 'node:worker_threads'

// Imported into a server of a test: from SIGUSR2 on, each turn of its event loop takes a tenth of a second.
if (isMainThread)
  process.once('SIGUSR2', () => {
    setInterval(() => {
      for (const until = performance.now() + 100; performance.now() < until;);
    }, 1).unref()
  })
