import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { createJobWorld, type JobWorld } from '../../../../tests/worlds/job-world.ts'
import { scriptedModel } from '../../../../tests/worlds/scripted-model.ts'
import { unprovenClaims } from '../tools/claims.ts'
import { runJob } from './run-job.ts'

const page = (text: string): [string, unknown] => ['write_file', { path: 'guide.md', content: text }]
const finish = (pages: unknown, more: Record<string, unknown> = {}): [string, unknown] => [
  'finish',
  { title: 'Say it', summary: 'Said it.', pages, ...more },
]

describeOnStore('what an agent says of its work', (store) => {
  const bodyOf = async (jobId: string): Promise<string> => {
    const row = await store()
      .db.selectFrom('turns')
      .select('publication')
      .where('job_id', '=', jobId)
      .where('publication', 'is not', null)
      .orderBy('n', 'desc')
      .executeTakeFirstOrThrow()
    return row.publication?.body ?? ''
  }
  const withReading = (world: JobWorld): void => {
    const open = world.ports.openToolbox
    world.ports.openToolbox = async (input) => {
      const toolbox = await open(input)
      return {
        ...toolbox,
        call: async (name, given, signal) =>
          name === 'read_file'
            ? { path: 'index.md', content: '1\t# Start\n2\t\n3\tWelcome.', hash: 'x' }
            : toolbox.call(name, given, signal),
        unproven: async ({ texts, earlier }) =>
          unprovenClaims(texts, await input.workspace.differences(), earlier),
      }
    }
  }
  const open = async (model: ReturnType<typeof scriptedModel>) => {
    const world = await createJobWorld(store(), model)
    withReading(world)
    world.project.addressOf = ({ path, lines }) => `https://git.example/${path}#L${lines?.[0] ?? 0}`
    return world
  }

  it('is sent back once with the sources that it was never shown, which are never printed', async () => {
    const invented = ['index.md:3', 'index.md:9999', 'secret.go:12']
    const model = scriptedModel(({ step }) =>
      step === 0
        ? [['read_file', { path: 'index.md' }], page('new')]
        : [finish([{ path: 'guide.md', reason: 'So', sources: invented }])],
    )
    await using world = await open(model)
    const { id } = await world.create('Write it')
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed' })
    expect(model.doGenerateCalls).toHaveLength(3)
    const told = JSON.stringify(model.doGenerateCalls.at(-1)?.prompt)
    expect(told).toContain('sourcesNotShown')
    expect(told).toContain('shownLines: 1-3')
    const body = await bodyOf(id)
    expect(body).toContain('So. Source: [`index.md:3`](https://git.example/index.md#L3).')
    expect(body).not.toMatch(/9999|secret/)
  })

  it('prints no source rather than one that was made up', async () => {
    const model = scriptedModel(({ step }) =>
      step === 0 ? [page('new')] : [finish([{ path: 'guide.md', reason: 'So', sources: ['a.go:1'] }])],
    )
    await using world = await open(model)
    const { id } = await world.create('Write it')
    await runJob(world.ports, id)
    expect(await bodyOf(id)).toContain('So. No source given.')
  })

  it('is compared with the changes', async () => {
    const model = scriptedModel(({ step }) =>
      step === 0 ? [page('new')] : [finish([], { summary: 'Updated all links.' })],
    )
    await using world = await open(model)
    const { id } = await world.create('Write it')
    await runJob(world.ports, id)
    expect(JSON.stringify(model.doGenerateCalls.at(-1)?.prompt)).toContain('notInTheChanges')
    expect(await bodyOf(id)).toContain('which the changes do not show:\n\n- Updated all links.')
  })

  it('prints no reason that the change of its page does not show', async () => {
    const reason = 'Updated all links. Welcomes readers.'
    const model = scriptedModel(({ step }) =>
      step === 0
        ? [
            ['read_file', { path: 'index.md' }],
            ['write_file', { path: 'index.md', content: '# Start\n\nHello.' }],
          ]
        : [finish([{ path: 'index.md', reason, sources: ['prompt'] }])],
    )
    await using world = await open(model)
    const { id } = await world.create('Write it')
    await runJob(world.ports, id)
    expect(JSON.stringify(model.doGenerateCalls.at(-1)?.prompt)).toContain('notInTheChanges')
    const body = await bodyOf(id)
    expect(body).toContain(': Welcomes readers. Source: the prompt.')
    expect(body).not.toContain('links')
  })

  it('may name in the description of the whole what only an earlier turn has changed', async () => {
    const model = scriptedModel(({ prompt, step }) => {
      if (step === 0)
        return [
          prompt === 'One'
            ? ['write_file', { path: 'other.md', content: 'Do `npm run earlier`' }]
            : page('Two'),
        ]
      const description = prompt === 'Two' ? { description: 'Documented `npm run earlier`.' } : {}
      return [
        finish([{ path: 'guide.md', reason: 'Asked', sources: ['prompt'] }], {
          summary: 'Did it.',
          ...description,
        }),
      ]
    })
    await using world = await open(model)
    const { id } = await world.create('One')
    await runJob(world.ports, id)
    await world.message(id, 'Two')
    await runJob(world.ports, id)
    expect(model.doGenerateCalls).toHaveLength(4)
    expect(await bodyOf(id)).toMatch(/^Documented `npm run earlier`/)
  })

  it('is compared with the whole pull request where it describes all of it', async () => {
    const model = scriptedModel(({ prompt, step }) =>
      step === 0
        ? [prompt === 'One' ? page('one') : ['write_file', { path: 'other.md', content: 'two' }]]
        : [
            finish([], {
              summary: 'Said it.',
              ...(prompt === 'Two' && { description: 'Wrote two pages. Updated all links.' }),
            }),
          ],
    )
    await using world = await open(model)
    const { id } = await world.create('One')
    await runJob(world.ports, id)
    await world.message(id, 'Two')
    await runJob(world.ports, id)
    const told = JSON.stringify(model.doGenerateCalls.at(-1)?.prompt)
    expect(told).toContain('notInTheChanges:\\n  Updated all links.')
    expect(await bodyOf(id)).toContain('which the changes do not show:\n\n- Updated all links.')
  })

  it('is one description of all turns, without a call more where it is joined, with every prompt and reason', async () => {
    const model = scriptedModel(({ prompt, step }) => {
      if (prompt === 'Fail') return step === 0 ? [page('BROKEN')] : { content: [], finish: 'content-filter' }
      if (step === 0) return [page(prompt)]
      const pages = [{ path: 'guide.md', reason: `Because of ${prompt}`, sources: ['prompt'] }]
      return [
        finish(pages, {
          summary: `Did ${prompt}.`,
          ...(prompt === 'Three' && { description: 'All of it.' }),
        }),
      ]
    })
    await using world = await open(model)
    const { id } = await world.create('One')
    await runJob(world.ports, id)
    await world.message(id, 'Fail')
    await runJob(world.ports, id)
    await world.message(id, 'Two')
    await runJob(world.ports, id)
    expect(await bodyOf(id)).toMatch(/^Did One\.\n\nDid Two\.\n\n## Changed pages/)
    await world.message(id, 'Three')
    await runJob(world.ports, id)
    expect(model.doGenerateCalls).toHaveLength(8)
    const body = await bodyOf(id)
    expect(body.startsWith('All of it.\n\n## Changed pages')).toBe(true)
    expect(body).not.toContain('Did One')
    expect(body).toContain('Because of One. Because of Two. Because of Three. Source: the prompt.')
    expect(body).toMatch(/> One\n\n> Fail\n>\n> \*This turn failed: .*\*\n\n> Two\n\n> Three\n/)
  })
})
