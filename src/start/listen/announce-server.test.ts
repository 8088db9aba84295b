import { mkdtemp, readFile, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { dataPaths } from '../data-folder.ts'
import { announceServer } from './announce-server.ts'

it('names a server that runs, whichever of those with the same address ends', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-folder-'))
  const { server } = dataPaths(folder)
  const named = () => readFile(server, 'utf8').catch(() => '')
  const stop = new AbortController()
  const pace = { look: 5, gone: 60_000 }
  const first = await announceServer(folder, 'http://127.0.0.1:4000', stop.signal, pace)
  const early = await named()
  const ended = new AbortController()
  const second = await announceServer(folder, 'http://127.0.0.1:4000', ended.signal, pace)
  const late = await named()
  expect(late).not.toBe(early)

  // The latest one ends in order.
  ended.abort()
  await second()
  await vi.waitFor(async () => expect(await named()).toBe(early))

  // Another one is killed.
  const killed = new AbortController()
  await announceServer(folder, 'http://127.0.0.1:4000', killed.signal, pace)
  killed.abort()
  expect(await named()).not.toBe(early)
  await vi.waitFor(async () => {
    if ((await named()) !== early) await utimes(server, new Date(0), new Date(0))
    expect(await named()).toBe(early)
  })

  // An old one ends.
  await second()
  expect(await named()).toBe(early)
  stop.abort()
  await first()
  expect(await named()).toBe('')
})
