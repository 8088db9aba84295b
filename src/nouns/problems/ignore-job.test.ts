import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { createAgentWorld } from '../../../tests/worlds/agent-world.ts'
import { testMachine } from '../../../tests/worlds/machine.ts'
import { scriptedModels } from '../../../tests/worlds/scripted-model.ts'
import { operatorPerson } from '../../features/projects/roles.ts'
import { ignoreProblems } from './ignore-job.ts'

describeOnStore('ignoring by button', (store) => {
  const openWorld = async () => {
    const { project, store: open } = await createAgentWorld(store())
    const ports = {
      store: open,
      queue: { send: () => Promise.resolve() },
      models: scriptedModels({} as never),
      machine: testMachine(),
      publicUrl: () => 'https://docs.example.com',
      repositoryUrl: () => 'https://docs.example.com/git/docs.git',
    }
    const press = async (path: string) => {
      const asking = { project, caller: { kind: 'person', person: operatorPerson } } as never
      const prompt = `Ignore problems of the kind link in "${path}"`
      const job = await ignoreProblems.run(ports, asking, { prompt, model: 'builtin' })
      return (job as { id: string }).id
    }
    const prompts = async (id: string) => {
      const turns = await open.db
        .selectFrom('turns')
        .select('prompt')
        .where('job_id', '=', id)
        .orderBy('n')
        .execute()
      return turns.map(({ prompt }) => prompt.slice(-11))
    }
    return { open, press, prompts }
  }

  it('puts what two people press at the same time into one job', async () => {
    const { press, prompts } = await openWorld()
    const paths = ['docs/a.md', 'docs/b.md', 'docs/c.md', 'docs/d.md']
    const [id = '', ...others] = await Promise.all(paths.map(press))
    expect(others).toEqual([id, id, id])
    expect((await prompts(id)).toSorted()).toEqual(paths.map((path) => JSON.stringify(path)))
  })

  it('asks once for what is pressed twice', async () => {
    const { press, prompts } = await openWorld()
    const [id, other] = await Promise.all([press('docs/a.md'), press('docs/a.md')])
    expect([other, await press('docs/a.md')]).toEqual([id, id])
    expect(await prompts(id)).toEqual(['"docs/a.md"'])
  })

  it('puts what is pressed one after the other into one job, until that is merged', async () => {
    const { open, press, prompts } = await openWorld()
    const first = await press('docs/a.md')
    expect(await press('docs/b.md')).toBe(first)
    await open.db
      .updateTable('jobs')
      .set({
        status: 'completed',
        pull_request: JSON.stringify({ state: 'open', number: 1, link: 'https://example.com/1' }),
      })
      .where('id', '=', first)
      .execute()
    expect(await press('docs/c.md')).toBe(first)
    expect(await prompts(first)).toEqual(['"docs/a.md"', '"docs/b.md"', '"docs/c.md"'])
    await open.db
      .updateTable('jobs')
      .set({
        status: 'completed',
        pull_request: JSON.stringify({ state: 'merged', number: 1, link: 'https://example.com/1' }),
      })
      .where('id', '=', first)
      .execute()
    expect(await press('docs/d.md')).not.toBe(first)
  })
})
