import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { fetchMirror } from '../../../integrations/git/mirrors/fetch-mirror.ts'
import { explainPages } from './explain-pages.ts'
import { createJobWorld } from '../../../../tests/worlds/job-world.ts'
import { writingModel } from '../../../../tests/worlds/scripted-model.ts'

const counts = { oldPath: null, additions: 1, deletions: 1 }

describeOnStore('the reasons of changed files', (store) => {
  it('link only sources that exist, and explain what tools changed along with a page', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { repository, remote } = world.project
    await fetchMirror(repository, remote)
    const settings = {
      ...world.project.settings,
      contextRepositories: [
        { name: 'app', ref: undefined, open: () => Promise.resolve({ repository, remote }) },
        { name: 'away', ref: undefined, open: () => Promise.reject(new Error('away')) },
      ],
    }
    const run = { project: { ...world.project, settings }, signal: new AbortController().signal }
    const sources = [
      'index.md:3',
      'index.md:3-9',
      '@app/guide.md:1',
      '@app/none.md',
      '@away/index.md',
      '@index.md/x',
      '../index.md',
      ':(glob)*',
      'x'.repeat(5000),
    ]
    const pages = [
      { path: './a.md', reason: 'Because', sources },
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
      {
        path: 'a.md',
        reason: 'Because',
        sources: ['index.md:3', 'index.md:3-9', '@app/guide.md:1', 'the prompt'],
      },
      { path: 'b.md', reason: 'So', sources: ['the prompt'] },
      { path: 'new/c.md', reason: '', sources: [] },
      { path: 'docs.json', reason: 'follows the move of c.md', sources: [] },
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
