import { describe, expect, it } from 'vitest'
import type { ForgeWorld } from './forge-contract.ts'
import type { HostedRepository } from '../../../src/integrations/forges/host.ts'
import type { DescribedServer } from './described-server.ts'
import type { FakeOrigin } from './fake-origin.ts'
import { faults, type Fault } from './fault.ts'

/** A host before which requests go wrong by their method and path. */
interface FaultWorld extends ForgeWorld {
  server: DescribedServer
  fail: (fault: Fault, method: string, path: RegExp, times?: number) => void
  hosted: HostedRepository
  origin: FakeOrigin
  state: { statuses: unknown[]; hooks: unknown[] }
}

/** Does something of which the first request by this method and path goes wrong, and does it again. */
type GoesWrong = <T>(method: string, path: RegExp, work: () => Promise<T>) => Promise<T>

interface Its<World> {
  /** With the branch `work`, and time-outs that are soon over. */
  createWorld: () => Promise<World>
  /** Where it has what, at the end of the path. */
  paths: Record<'requests' | 'request' | 'comments' | 'changes' | 'repository', RegExp>
  requests: (world: World) => readonly { title: string; description: string }[]
  comments: (world: World) => readonly unknown[]
  /** What no other host has, on the open request 1. */
  more?: (world: World, goesWrong: GoesWrong) => Promise<void>
}

const text = { title: 'Say more', body: 'Why.', head: 'work', base: 'main', draft: false }
const link = 'https://docwright.example/jobs/1'
const tries = 4

/** For tests of adapters: what each does after each fault. */
export function describeFaults<World extends FaultWorld>(its: Its<World>): void {
  const { createWorld, paths } = its
  describe.each(faults)('after %s', (fault: Fault) => {
    it('does what it was asked for once, however the first request of each kind ends', async () => {
      await using world = await createWorld()
      const { state, hosted, forge } = world
      const goesWrong: GoesWrong = async (method, path, work) => {
        world.fail(fault, method, path)
        const first = work()
        if (fault === '401') await expect(first).rejects.toMatchObject({ code: 'unauthorized' })
        else await first
        return work()
      }
      const opened = await goesWrong('POST', paths.requests, () => forge.open(text))
      expect(opened).toMatchObject({ number: 1, state: 'open' })
      expect(its.requests(world)).toHaveLength(1)
      await goesWrong('PUT', paths.request, () => forge.update(1, { body: 'New' }))
      expect(its.requests(world)).toMatchObject([{ description: expect.stringContaining('New') as string }])
      await goesWrong('POST', paths.comments, () => hosted.postComment(1, 'Done', 'turn:1'))
      expect(its.comments(world)).toHaveLength(1)
      await its.more?.(world, goesWrong)
      const commit = world.origin.head('work') ?? ''
      await goesWrong('POST', /statuses/, () =>
        hosted.setStatus(commit, { state: 'pending', description: 'Works', link }),
      )
      expect(state.statuses).toHaveLength(1)
      await goesWrong('POST', /hooks$/, () => hosted.ensureWebhook(link, 'secret'))
      expect(state.hooks).toHaveLength(1)
    })

    it('says so when it does not pass, and ends with one request when it has passed', async () => {
      await using world = await createWorld()
      world.fail(fault, 'POST', paths.requests, tries)
      // When it was opened after all, it is found by looking.
      const isOpened = fault.endsWith('after')
      const first: unknown = await world.forge.open(text).catch((error: unknown) => error)
      if (isOpened) expect(first).toMatchObject({ number: 1 })
      else expect(first).toMatchObject({ code: fault === '401' ? 'unauthorized' : 'unavailable' })
      world.server.troubles.length = 0
      expect(await world.forge.open(text)).toMatchObject({ number: 1, state: 'open' })
      expect(its.requests(world)).toHaveLength(1)
    })

    it('reads again what it could not read', async () => {
      await using world = await createWorld()
      const { forge, hosted } = world
      await forge.open(text)
      await world.comment(1, 'Please')
      const reads: [path: RegExp, read: () => Promise<unknown>][] = [
        [paths.requests, () => forge.findByHead('work')],
        [paths.request, () => forge.read(1)],
        [paths.requests, () => forge.listOpen()],
        [paths.changes, () => forge.changedPaths(1)],
        [paths.comments, () => forge.commentsSince(1, undefined)],
        [paths.repository, () => hosted.checkAccess()],
        [paths.repository, () => hosted.presentPath()],
      ]
      for (const [path, read] of reads) {
        const expected = await read()
        world.fail(fault, 'GET', path)
        if (fault === '401') await expect(read()).rejects.toMatchObject({ code: 'unauthorized' })
        expect(await read()).toEqual(expected)
      }
    })
  })
}
