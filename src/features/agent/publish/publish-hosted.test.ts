import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { createGitHubWorld, type GitHubWorld } from '../../../../tests/worlds/hosts/github/github-world.ts'
import { plainGit } from '../../../../tests/worlds/git/temporary-git.ts'
import { openMirror } from '../../../integrations/git/mirrors/open-mirror.ts'
import { remoteFromUrl } from '../../../integrations/git/remote.ts'
import { createJobWorld, type JobWorld } from '../../../../tests/worlds/job-world.ts'
import type { Job } from '../jobs.ts'
import type { RunPorts } from '../turns/turn-run.ts'
import { recordPullRequestState } from './record-publication.ts'
import { runJob } from '../loop/run-job.ts'
import { scriptedModel } from '../../../../tests/worlds/scripted-model.ts'
import { listTurns } from '../turns.ts'

describeOnStore('a job on a git host', (store) => {
  it('waits out a rate limit and a host that is away, and opens one pull request', async () => {
    await using hosted = await openHosted()
    const { host, run, world } = hosted
    const { troubles } = host.fake.server
    const isOpening = ({ method, path }: { method: string; path: string }) =>
      method === 'POST' && path.endsWith('/pulls')
    const message = 'You have exceeded a secondary rate limit.'
    troubles.push({
      matches: isOpening,
      happens: 'before',
      as: { status: 403, body: { message }, headers: { 'retry-after': '3600' } },
    })
    const { id } = await world.create('write a.md: one\n')
    expect(await run(id)).toMatchObject({ status: 'active' })
    expect(await world.eventTypes(id)).toContain('turn.waiting')
    await endWait(id)
    for (let n = 0; n < 4; n++) troubles.push({ matches: isOpening, happens: 'before', as: { status: 503 } })
    expect(await run(id)).toMatchObject({ status: 'active' })
    await endWait(id)
    expect(await run(id)).toMatchObject({ status: 'completed', pullRequest: { number: 1 } })
    expect(host.fake.pulls).toHaveLength(1)
    // git access may fail as well.
    host.fake.gitTroubles.push(...Array.from({ length: 30 }, () => away))
    await world.message(id, 'write b.md: two\n')
    expect(await run(id)).toMatchObject({ status: 'active' })
    host.fake.gitTroubles.length = 0
    await endWait(id)
    expect(await run(id)).toMatchObject({ status: 'completed', turns: 2, pullRequest: { number: 1 } })
    expect(host.fake.pulls).toHaveLength(1)
  })

  it('marks its draft as ready when no problem is left', async () => {
    await using hosted = await openHosted()
    const { host, run, world } = hosted
    const { id } = await world.create('write a.md: BROKEN\n')
    await run(id)
    expect(host.fake.pulls).toMatchObject([{ draft: true }])
    await world.message(id, 'write a.md: mended\n')
    expect(await run(id)).toMatchObject({ status: 'completed', checks: [] })
    expect(host.fake.pulls).toMatchObject([{ draft: false, state: 'open' }])
  })

  it('says what to do about a protected branch and an archived repository, and keeps the work', async () => {
    await using hosted = await openHosted()
    const { host, run, world } = hosted
    const { id, branch } = await world.create('write a.md: one\n')
    await run(id)
    const hook = join(host.origin.folder, 'hooks/pre-receive')
    await writeFile(hook, '#!/bin/sh\necho "error: GH006: Protected branch update failed" >&2\nexit 1\n', {
      mode: 0o755,
    })
    await world.message(id, 'write b.md: two\n')
    expect(await run(id)).toMatchObject({
      status: 'failed',
      failure: {
        code: 'branch_protected',
        message: expect.stringContaining('let Docwright push to docwright/*') as string,
      },
    })
    await writeFile(hook, '#!/bin/sh\necho "GH006: Commits must have verified signatures." >&2\nexit 1\n')
    await world.message(id, 'go on')
    expect(await run(id)).toMatchObject({
      failure: {
        code: 'unsigned_commit',
        message: expect.stringContaining('DOCWRIGHT_COMMIT_SIGNING_KEY') as string,
      },
    })
    await writeFile(hook, '#!/bin/sh\necho "This repository was archived so it is read-only." >&2\nexit 1\n')
    await world.message(id, 'go on')
    expect(await run(id)).toMatchObject({
      status: 'failed',
      failure: { code: 'repository', message: expect.stringMatching(/unarchive/i) as string },
    })
    await writeFile(hook, '#!/bin/sh\nexit 0\n')
    host.fake.settings.archived = true
    await world.message(id, 'go on')
    expect(await run(id)).toMatchObject({
      status: 'failed',
      failure: { code: 'repository', message: expect.stringMatching(/unarchive/i) as string },
    })
    host.fake.settings.archived = false
    await world.message(id, 'go on')
    expect(await run(id)).toMatchObject({ status: 'completed', pullRequest: { number: 1, state: 'open' } })
    expect(plainGit(host.origin.folder, ['show', `${branch}:b.md`])).toBe('two')
  })

  it('starts a new branch when it was deleted, and continues on top of a force push', async () => {
    const meanwhile: (() => void)[] = []
    await using hosted = await openHosted(() => meanwhile.shift()?.())
    const { host, run, world } = hosted
    const { id, branch } = await world.create('write a.md: one\n')
    await run(id)
    host.origin.deleteBranch(branch)
    await world.message(id, 'write b.md: two\n')
    const anew = await run(id)
    expect(anew).toMatchObject({ status: 'completed', pullRequest: { number: 2, state: 'open' } })
    expect(anew.changes.map(({ path }) => path)).toEqual(['b.md'])

    // The branch gets another history without the earlier commits.
    meanwhile.push(() => host.origin.push(anew.branch, 'person.md', 'by hand\n', 'main'))
    await world.message(id, 'write c.md: three\n')
    const forced = await run(id)
    expect(forced).toMatchObject({ status: 'completed', pullRequest: { number: 2, state: 'open' } })
    expect(forced.changes.map(({ path }) => path)).toEqual(['c.md', 'person.md'])

    meanwhile.push(() => host.origin.deleteBranch(anew.branch))
    await world.message(id, 'write d.md: four\n')
    expect(await run(id)).toMatchObject({
      status: 'failed',
      failure: { code: 'branch_moved', message: expect.stringContaining('was deleted') as string },
    })
    await world.message(id, 'go on')
    const last = await run(id)
    expect(last).toMatchObject({ status: 'completed', pullRequest: { number: 3, state: 'open' } })
    expect(last.changes.map(({ path }) => path)).toEqual(['d.md'])
  })

  it('says where the changes are when the pull request is closed while it works', async () => {
    const meanwhile: (() => void)[] = []
    await using hosted = await openHosted(() => meanwhile.shift()?.())
    const { host, run, world } = hosted
    const { id, branch } = await world.create('write a.md: one\n')
    await run(id)
    meanwhile.push(() => Object.assign(host.fake.pulls[0] ?? {}, { state: 'closed' }))
    await world.message(id, 'write b.md: two\n')
    expect(await run(id)).toMatchObject({ status: 'completed', pullRequest: { number: 1, state: 'closed' } })
    const turns = await listTurns(store().db, world.project.id, id)
    expect(turns.at(-1)?.summary).toContain(`They’re on branch \`${branch}\``)
    expect(host.fake.pulls).toHaveLength(1)
  })

  it('keeps its work when a person changes the same lines meanwhile', async () => {
    const meanwhile: (() => void)[] = []
    await using hosted = await openHosted(() => meanwhile.shift()?.())
    const { host, run, world } = hosted
    const { id, branch } = await world.create('write a.md: one\n')
    await run(id)
    meanwhile.push(() => host.origin.push(branch, 'a.md', 'by hand\n', branch))
    await world.message(id, 'write a.md: by the agent\n')
    expect(await run(id)).toMatchObject({ status: 'failed', failure: { code: 'branch_moved' } })
    expect(plainGit(host.origin.folder, ['show', `${branch}:a.md`])).toBe('by hand')
    // The file holds both sides for the model to resolve, which cannot publish before it does.
    await world.message(id, 'go on')
    expect(await run(id)).toMatchObject({ status: 'failed', failure: { code: 'conflict' } })
    expect(hosted.told()).toContain('hold conflict markers, which you have to resolve: \\"a.md\\"')
    await world.message(id, 'write a.md: by hand, and by the agent\n')
    expect(await run(id)).toMatchObject({ status: 'completed', pullRequest: { number: 1, state: 'open' } })
    expect(plainGit(host.origin.folder, ['show', `${branch}:a.md`])).toBe('by hand, and by the agent')
  })

  it('distinguishes pull requests of the same number after the project has moved to another repository', async () => {
    await using hosted = await openHosted()
    await using other = await openHosted(undefined, hosted.world)
    const { world } = hosted
    const old = await world.create('write a.md: one\n')
    await hosted.run(old.id)
    const fresh = await world.create('write b.md: two\n')
    expect(await other.run(fresh.id)).toMatchObject({ pullRequest: { number: 1, state: 'open' } })
    await store().transaction((tx) =>
      recordPullRequestState(tx, fresh.id, { number: 1, state: 'merged', draft: false }),
    )
    expect((await world.read(old.id)).pullRequest).toMatchObject({ state: 'open' })
    expect((await world.read(fresh.id)).pullRequest).toMatchObject({ state: 'merged' })
    // The job has recorded a pull request of that number, but of the other repository.
    await world.message(old.id, 'write c.md: three\n')
    const moved = await other.run(old.id)
    expect(moved.pullRequest?.link).toContain(other.host.fake.server.origin)
    expect((await world.eventTypes(old.id)).filter((type) => type === 'pull_request.opened')).toHaveLength(2)
  })

  const away = {
    matches: () => true,
    happens: 'before' as const,
    as: { status: 503 },
  }

  interface Hosted extends AsyncDisposable {
    world: JobWorld
    host: GitHubWorld
    run: (id: string) => Promise<Job>
    /** The last conversation that was sent to the model. */
    told: () => string
  }

  /** @param meanwhile called after the model has written and before anything is pushed */
  async function openHosted(meanwhile?: () => void, among?: JobWorld): Promise<Hosted> {
    let told = ''
    const model = scriptedModel(({ prompt, step, options }) => {
      told = JSON.stringify(options.prompt)
      const [, path, content] = /^write (\S+): ([^]*)$/.exec(prompt) ?? []
      if (path !== undefined && step === 0) return [['write_file', { path, content }]]
      // Nobody interferes with the first turn.
      if (!told.includes('write a.md: one') || prompt !== 'write a.md: one\n') meanwhile?.()
      return [['finish', { title: `Do ${prompt.trim()}`, summary: `Did "${prompt}".` }]]
    })
    const world = among ?? (await createJobWorld(store(), model))
    const host = await createGitHubWorld()
    const { origin } = host.fake.server
    const { git } = world.project.repository
    const credential = { username: 'x-access-token', password: 'ghp_all' }
    const project = {
      ...world.project,
      repository: await openMirror(git, join(world.folder, `hosted-${Math.random()}.git`)),
      remote: remoteFromUrl(`${origin}/acme/docs.git`, { credential }),
    }
    const ports: RunPorts = {
      ...world.ports,
      openProject: async () => project,
      // Asked again each time, so that the fake reads its branches again, which git changes too.
      forgeFor: () => host.forge,
    }
    return {
      world,
      host,
      told: () => told,
      async run(id) {
        await runJob(ports, id)
        return world.read(id)
      },
      async [Symbol.asyncDispose]() {
        await host[Symbol.asyncDispose]()
        if (among === undefined) await world[Symbol.asyncDispose]()
      },
    }
  }

  async function endWait(id: string): Promise<void> {
    await store().transaction((tx) =>
      sql`update turns set parked_until = now() where job_id = ${id} and parked_until is not null`.execute(
        tx,
      ),
    )
  }
})
