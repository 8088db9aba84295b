import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findPublicUrl, notePublicUrl } from './public-url.ts'

it('tells a worker the address of a server on its data folder, also of one that comes later', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'docwright-public-url-'))
  const stopping = new AbortController()
  const find = (publicUrl?: string) => findPublicUrl({ publicUrl, dataFolder }, stopping.signal)
  const early = await find()
  expect(early()).toBe('')
  await notePublicUrl(dataFolder, 'https://old.example.com')
  await notePublicUrl(dataFolder, 'https://docs.example.com')
  expect((await find())()).toBe('https://docs.example.com')
  expect((await find('https://own.example.com'))()).toBe('https://own.example.com')
  await expect.poll(early, { timeout: 120_000 }).toBe('https://docs.example.com')
  stopping.abort()
  await rm(dataFolder, { recursive: true })
})
