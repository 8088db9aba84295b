import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { fetchMirror } from '../../../integrations/git/mirrors/fetch-mirror.ts'
import { explainPages } from './explain-pages.ts'
import { createJobWorld } from '../../../../tests/worlds/job-world.ts'
import { writingModel } from '../../../../tests/worlds/scripted-model.ts'

const counts = { oldPath: null, additions: 1, deletions: 1 }

describeOnStore('the reasons of changed files', (store) => {
  it('are those of the model, and explain what tools changed along with a page', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { repository, remote } = world.project
    await fetchMirror(repository, remote)
    const run = { project: world.project, signal: new AbortController().signal }
    const links = { 'index.md:3': 'https://git.example/index.md#L3' }
    const pages = [
      { path: './a.md', reason: 'Because', sources: ['index.md:3', 'the prompt'], links },
      { path: 'b.md', reason: 'So', sources: [] },
    ]
    const changes = [
      { ...counts, path: 'a.md', status: 'modified' as const },
      { ...counts, path: 'b.md', status: 'modified' as const },
      { ...counts, path: 'new/c.md', oldPath: 'c.md', status: 'renamed' as const },
      { ...counts, path: 'docs.json', status: 'modified' as const },
    ]
    const explained = await explainPages(run, world.git('rev-parse', 'main'), { pages }, changes)
    expect(explained).toEqual([
      { path: 'a.md', reason: 'Because', sources: ['index.md:3', 'the prompt'], links },
      { path: 'b.md', reason: 'So', sources: [] },
      { path: 'new/c.md', reason: '', sources: [] },
      { path: 'docs.json', reason: 'follows the move of c.md', sources: [], follows: true },
    ])
    const [, navigation] = await explainPages(run, world.git('rev-parse', 'main'), { pages: [] }, [
      { ...counts, path: 'd.md', status: 'added' },
      { ...counts, path: 'docs.json', status: 'modified' },
    ])
    expect(navigation?.reason).toBe('follows the addition of d.md')
    // Of the base's pages, only guide.md names Acme.
    const reasons = await explainPages(run, world.git('rev-parse', 'main'), { pages: [] }, [
      { ...counts, path: 'products/acme.md', oldPath: 'Acme.md', status: 'renamed' },
      { ...counts, path: 'old\npage.md', status: 'deleted' },
      { ...counts, path: 'guide.md', status: 'modified' },
      { ...counts, path: 'index.md', status: 'modified' },
    ])
    expect(reasons.slice(2).map(({ reason }) => reason)).toEqual(['follows the move of Acme.md', ''])
  })
})
