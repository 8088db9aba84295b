import { realpath, rm } from 'node:fs/promises'
import { beforeAll, expect, it } from 'vitest'
import { insertProject } from '../../../../tests/assistant-server.ts'
import { describeOnBothEngines } from '../../../../tests/stores.ts'
import { plainGit, temporaryFolder, temporaryGit } from '../../../../tests/worlds/git/temporary-git.ts'
import { remoteFromFolder, type Remote } from '../../../integrations/git/remote.ts'
import { AppError } from '../../../lib/errors.ts'
import { addUsage } from '../../../store/usage.ts'
import {
  addContextRepository,
  changeSettings,
  removeContextRepository,
} from '../../../nouns/projects/setup/change-settings.ts'
import { findProject } from '../projects.ts'
import { readSettings, withDefaults } from './schemas.ts'
import { projectUsage } from '../../../nouns/usage/table.ts'

describeOnBothEngines('settings of a project', (store) => {
  beforeAll(() => insertProject(store()))
  const git = { environment: {}, folder: '/nowhere' }
  const models = {
    find: (name: string) => {
      if (name !== 'builtin') throw new AppError('invalid', `There is no model ${name}`)
      return {} as never
    },
    findEmbedder: (name: string) => {
      if (name !== 'openai:vectors') throw new AppError('invalid', `There is no model for vectors ${name}`)
      return {} as never
    },
  }
  const readProject = async () => {
    const project = await findProject(store().db, 'prj_docs')
    if (!project) throw new Error('expected to be there')
    return project
  }
  const change = async (input: unknown, remote?: Remote) => {
    const ports = { store: store(), git: remote ? (await temporaryGit()).git : git, models }
    const open = () => (remote ? Promise.resolve(remote) : Promise.reject(new Error('It is not asked')))
    return changeSettings({ ...ports, remote: open }, await readProject(), input, anyPlace)
  }

  it('name models that read the sections only where they can do so', async () => {
    const enrichment = { questions: 'builtin', vectors: 'openai:vectors', ceiling: 3 }
    await expect(change({ enrichment })).rejects.toThrow('writes no questions')
    await expect(change({ enrichment: { vectors: 'other:x' } })).rejects.toThrow('other:x')
    await expect(change({ enrichment: { vectors: 'openai:vectors', ceiling: 0 } })).rejects.toThrow('ceiling')
    const kept = await change({ enrichment: { vectors: 'openai:vectors', ceiling: 3 } })
    expect(kept.enrichment).toEqual({ vectors: 'openai:vectors', ceiling: 3 })
    expect((await change({ enrichment: null })).enrichment).toBeUndefined()
  })

  it('take no glob that would fail each job later', async () => {
    const braces = '{a,b}'.repeat(7)
    for (const field of ['allow', 'protect', 'allowedImports'])
      await expect(change({ [field]: ['docs/*', braces] })).rejects.toThrow(`\`${field}\` must be globs with`)
    expect((await change({ protect: ['docs/{a,b}/*'] })).protect).toEqual(['docs/{a,b}/*'])
    await change({ protect: null })
  })

  it('change field by field, and are removed with null', async () => {
    await change({ model: 'builtin', allow: ['examples/**'], budget: { steps: 5, cost: 1.5 } })
    expect(await change({ onProblems: 'fail', allow: null })).toEqual({
      model: 'builtin',
      onProblems: 'fail',
      budget: { steps: 5, cost: 1.5 },
    })
    expect((await findProject(store().db, 'prj_docs'))?.settings.budget).toEqual({ steps: 5, cost: 1.5 })
  })

  it('are refused with the reason', async () => {
    for (const [input, message] of [
      [{ model: 'none' }, 'no model none'],
      [{ budget: { steps: 0 } }, 'budget.steps'],
      [{ onProblems: 'ignore' }, 'draft or fail'],
      [{ surprise: 1 }, 'surprise'],
      [{ allowedHosts: ['https://a.example/x'] }, 'must be a list of hosts'],
      [{ allowedHosts: ['*'] }, 'must be a list of hosts'],
      [{ allowedImports: ["a' + b"] }, 'must be a list of modules'],
      [{ contextRepositories: [{ name: '../x', location: '/tmp' }] }, 'contextRepositories.0.name'],
      ['text', 'The settings must be an object'],
    ] as const)
      await expect(change(input)).rejects.toThrow(message)
  })

  it('take a branch prefix that nothing in the repository is in the way of, and remember the former one', async () => {
    const folder = await repositoryIn(await temporaryFolder())
    plainGit(folder, ['branch', 'taken'])
    plainGit(folder, ['branch', 'deep/er'])
    const remote = await remoteFromFolder(folder)
    for (const [branchPrefix, message] of [
      ['taken/', 'The branch "taken" blocks jobs'],
      ['taken/deeper/bot-', 'The branch "taken" blocks jobs'],
      ['deep/er/', 'The branch "deep/er" blocks jobs'],
      ['a..b/', 'must be the beginning of a branch name'],
      ['refs/heads/', 'must be the beginning of a branch name'],
      ['bot.lock/', 'must be the beginning of a branch name'],
      ['-bot/', 'must be the beginning of a branch name'],
      ['/', 'must be the beginning of a branch name'],
      ['a b/', 'must be the beginning of a branch name'],
      ['$(id)/', 'must be the beginning of a branch name'],
      ['', 'must be the beginning of a branch name'],
    ] as const)
      await expect(change({ branchPrefix }, remote)).rejects.toThrow(message)
    expect((await change({ branchPrefix: 'Taken/' }, remote)).branchPrefix).toBe('Taken/')
    expect(await readProject()).toMatchObject({
      blockingBranch: 'taken',
      formerBranchPrefixes: ['docwright/'],
    })
    // Saved again as it is, the repository is not asked.
    await change({ branchPrefix: 'Taken/' })
    expect((await change({ branchPrefix: 'deep/docs-' }, remote)).branchPrefix).toBe('deep/docs-')
    expect(await readProject()).toMatchObject({
      blockingBranch: undefined,
      formerBranchPrefixes: ['docwright/', 'Taken/'],
    })
    await change({ branchPrefix: null }, remote)
  })

  it('add and remove one context repository, whatever happened to the others', async () => {
    const { git } = await temporaryGit()
    const [gone, here] = [
      await repositoryIn(await temporaryFolder()),
      await repositoryIn(await temporaryFolder()),
    ]
    const add = (name: string, location: string, ref?: string) =>
      addContextRepository({ store: store(), git }, 'prj_docs', { name, location, ref }, anyPlace)
    const read = async () => (await findProject(store().db, 'prj_docs'))?.settings.contextRepositories ?? []
    await add('gone', gone)
    await rm(gone, { recursive: true })
    await add('here', here)
    expect(await read()).toMatchObject([{ name: 'gone' }, { name: 'here', ref: 'main', location: here }])
    for (const [name, location, ref, message] of [
      ['here', here, undefined, 'already'],
      ['No Name', here, undefined, '`name` must be a short name'],
      ['other', '', undefined, '`location` must be'],
      ['other', here, 'nope', 'has no branch "nope"'],
      ['other', gone, undefined, 'There is no folder'],
    ] as const)
      await expect(add(name, location, ref)).rejects.toThrow(message)
    await removeContextRepository(store(), 'prj_docs', 'here')
    for (let n = 1; n < 10; n++) await add(`n-${n}`, here)
    await expect(add('n-10', here)).rejects.toThrow('at most 10')
    expect(await read()).toHaveLength(10)
  })

  it('of another version do not break the project', () => {
    expect(readSettings({ model: 'builtin', later: true })).toEqual({ model: 'builtin' })
    expect(readSettings({ model: 5 })).toEqual({})
    expect(readSettings({ allow: ['**'], protect: { later: 'legal/**' } })).toEqual({})
    expect(readSettings(null)).toEqual({})
    const later = { signOff: 'later', budget: { steps: 5, later: 1 }, protect: ['legal/**'] }
    expect(readSettings(later)).toEqual({ protect: ['legal/**'] })
  })

  it('have defaults for who uses them, also where one is set to nothing', () => {
    expect(withDefaults({ signOff: 'person', branchPrefix: undefined })).toMatchObject({
      signOff: 'person',
      branchPrefix: 'docwright/',
      visibility: 'signed-in',
      protect: [],
    })
    expect(withDefaults({})).not.toHaveProperty('site')
  })

  it('stand beside what the project used', async () => {
    const usage = { inputTokens: 100, cachedInputTokens: 40, outputTokens: 10 }
    await store().transaction(async (tx) => {
      await addUsage(tx, 'prj_docs', 'agent', [{ model: 'a:b', usage, cost: 1500 }])
      await addUsage(tx, 'prj_docs', 'agent', [{ model: 'a:b', usage, cost: 500 }])
      await addUsage(tx, 'prj_docs', 'assistant', [{ model: 'c:d', usage, cost: undefined }])
    })
    expect(await projectUsage(store().db, 'prj_docs', 30)).toMatchObject([
      { surface: 'agent', model: 'a:b', calls: 2, inputTokens: 200, cost: 0.002 },
      { surface: 'assistant', model: 'c:d', calls: 1, cost: undefined },
    ])
    expect(await projectUsage(store().db, 'prj_other', 30)).toEqual([])
  })
})

const anyPlace = () => Promise.resolve()

async function repositoryIn(folder: string): Promise<string> {
  plainGit(folder, ['init', '-q', '-b', 'main'])
  plainGit(folder, ['commit', '-q', '--allow-empty', '-m', 'one'])
  return realpath(folder)
}
