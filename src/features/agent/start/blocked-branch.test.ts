import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { createJobWorld } from '../../../../tests/worlds/job-world.ts'
import { brittleModel } from '../../../../tests/worlds/scripted-model.ts'
import { runJob } from '../loop/run-job.ts'

describeOnStore('a branch in the way of jobs', (store) => {
  it('fails the job at once with what to do, and a later message goes on', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    world.git('branch', 'docwright', 'main')
    const { id, branch } = await world.create('write a.md: one\n')
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({
      status: 'failed',
      usage: { inputTokens: 0 },
      failure: {
        code: 'branch_in_the_way',
        message: expect.stringMatching(
          /The branch "docwright" blocks jobs.* branch prefix.*send the message/,
        ) as string,
      },
    })
    const settings = { ...world.project.settings, branchPrefix: 'bot/docs-' }
    await world.message(id, 'write a.md: one\n')
    await runJob({ ...world.ports, openProject: async () => ({ ...world.project, settings }) }, id)
    const job = await world.read(id)
    expect(job).toMatchObject({ status: 'completed', branch: branch.replace('docwright/', 'bot/docs-') })
    expect(world.git('diff', '--name-only', `main..${job.branch}`)).toBe('a.md')
  })

  it('is named when the branch was made while the agent worked', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { id } = await world.create('write a.md: one\n')
    const { openToolbox } = world.ports
    await runJob(
      {
        ...world.ports,
        openToolbox: (input) => {
          world.git('branch', '-f', 'docwright', 'main')
          return openToolbox(input)
        },
      },
      id,
    )
    expect(await world.read(id)).toMatchObject({ status: 'failed', failure: { code: 'branch_in_the_way' } })
    world.git('branch', '-D', 'docwright')
    await world.message(id, 'go on')
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed', pullRequest: { number: 1 } })
  })

  it('leaves existing branches of jobs alone when the prefix changes', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { id, branch } = await world.create('write a.md: one\n')
    await runJob(world.ports, id)
    const settings = { ...world.project.settings, branchPrefix: 'bot/' }
    const ports = { ...world.ports, openProject: async () => ({ ...world.project, settings }) }
    await world.message(id, 'write b.md: two\n')
    await runJob(ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed', branch, pullRequest: { number: 1 } })
    world.git('update-ref', 'refs/heads/main', branch)
    await world.message(id, 'write c.md: three\n')
    await runJob(ports, id)
    expect(await world.read(id)).toMatchObject({
      status: 'completed',
      branch: `${branch.replace('docwright/', 'bot/')}-2`,
    })
  })
})
