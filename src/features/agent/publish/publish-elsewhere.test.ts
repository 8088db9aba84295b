import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { plainForge } from '../../../integrations/forges/plain-git.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Forge, NewRequest } from '../../../integrations/forges/forge.ts'
import { createJobWorld, type JobWorld } from '../../../../tests/worlds/job-world.ts'
import { runJob } from '../loop/run-job.ts'
import { brittleModel } from '../../../../tests/worlds/scripted-model.ts'
import { pushFailure } from './publish.ts'

describeOnStore('publishing on a host', (store) => {
  const send = async (world: JobWorld, id: string, prompt: string, forge: Forge) => {
    await world.message(id, prompt)
    await runJob({ ...world.ports, forgeFor: () => forge }, id)
    return world.read(id)
  }

  it('opens the pull request with the next message, once the missing permission is there', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const refusing: Forge = {
      ...world.forge,
      open: () => Promise.reject(new AppError('forbidden', 'It needs "Pull requests: write"')),
    }
    const { id, branch } = await world.create('write a.md: one\n')
    await runJob({ ...world.ports, forgeFor: () => refusing }, id)
    expect(await world.read(id)).toMatchObject({
      status: 'failed',
      failure: {
        code: 'permission_missing',
        message: expect.stringContaining('It needs "Pull requests: write"') as string,
      },
      pullRequest: undefined,
    })
    expect(await send(world, id, 'go on', world.forge)).toMatchObject({
      status: 'completed',
      pullRequest: { number: 1, state: 'open' },
      changes: [{ path: 'a.md' }],
    })
    expect(world.git('rev-list', '--count', `main..${branch}`)).toBe('1')
  })

  it('fails with an explanation when the base is removed while the agent works', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    world.git('branch', 'next', 'main')
    const forge: Forge = {
      ...world.forge,
      open: () => {
        world.git('branch', '-D', 'next')
        return Promise.reject(new AppError('invalid', 'The base is not valid'))
      },
    }
    const { id } = await world.create('write a.md: one\n', { base: 'next' })
    await runJob({ ...world.ports, forgeFor: () => forge }, id)
    expect(await world.read(id)).toMatchObject({ status: 'failed', failure: { code: 'base_not_found' } })
  })

  it('opens the pull request against the new name of a base that was renamed meanwhile', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    let asked = 0
    const forge: Forge = {
      ...world.forge,
      open: (request) => {
        if (asked++ === 0) world.git('branch', '-m', 'main', 'trunk')
        return world.forge.open(request)
      },
    }
    const followDefault = async () => ({ branch: 'trunk', followed: true })
    const { id, branch } = await world.create('write a.md: one\n')
    await runJob({ ...world.ports, followDefault, forgeFor: () => forge }, id)
    expect(await world.read(id)).toMatchObject({
      status: 'completed',
      base: 'trunk',
      pullRequest: { number: 1 },
    })
    expect(world.git('diff', '--name-only', `trunk..${branch}`)).toBe('a.md')
    expect(await world.eventTypes(id)).toContain('base.renamed')
  })

  it('applies the project’s settings for new pull requests', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const wanted = { draft: true, labels: ['docs'], reviewers: ['ann'], assignees: ['bob'] }
    const asked: NewRequest[] = []
    const forge: Forge = {
      ...world.forge,
      open: (request) => {
        asked.push(request)
        return world.forge.open(request)
      },
    }
    const project = { ...world.project, settings: { ...world.project.settings, pullRequest: wanted } }
    const { id } = await world.create('write a.md: one\n')
    await runJob({ ...world.ports, openProject: async () => project, forgeFor: () => forge }, id)
    expect(asked).toMatchObject([wanted])
  })

  it('pushes a branch where there are no pull requests, and continues on it', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { id, branch } = await world.create('write a.md: one\n')
    await runJob({ ...world.ports, forgeFor: () => plainForge }, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed', pullRequest: undefined })
    expect(await send(world, id, 'write b.md: two\n', plainForge)).toMatchObject({ status: 'completed' })
    expect(world.git('diff', '--name-only', `main..${branch}`)).toBe('a.md\nb.md')
  })
})

it.each([
  ['GH006: Protected branch update failed', 'branch_protected'],
  ['You are not allowed to push code to protected branches on this project.', 'branch_protected'],
  ['pre-receive hook declined', 'push_refused'],
])('tells a push that failed with %j apart', (said, code) => {
  expect(pushFailure(said, 'docwright/')).toMatchObject({ code })
})
