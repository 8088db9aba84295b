import { readJobRevisions } from '../job-versions.ts'
import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { pushFiles } from '../../../../tests/worlds/follow-up.ts'
import { plainGit } from '../../../../tests/worlds/git/temporary-git.ts'
import { createJobWorld, noLimit, type JobWorld } from '../../../../tests/worlds/job-world.ts'
import { writingModel } from '../../../../tests/worlds/scripted-model.ts'
import { readReview } from '../../../lib/prompts/review-prompt.ts'
import { cancelJob } from '../cancel-job.ts'
import { runJob } from '../loop/run-job.ts'
import { listTurns } from '../turns.ts'
import { jobChange, type DiffedProject } from '../workspace/job-work.ts'
import { listChangeCommits } from './list-change-commits.ts'
import { readReviewComments } from './read-review.ts'
import { sendComments } from './send-comments.ts'
import { markViewed, readProgress } from './viewed-files.ts'
import {
  addLineComment,
  changeLineComment,
  removeLineComment,
  type NewLineComment,
} from './write-comments.ts'
import { fetchMirror } from '../../../integrations/git/mirrors/fetch-mirror.ts'

const ann = { id: 'per_ann', name: 'Ann', isOperator: false }
const ben = { id: 'per_ben', name: 'Ben', isOperator: false }

describeOnStore('the review of a change', (store) => {
  const open = async (world: JobWorld) => {
    const project: DiffedProject = {
      id: world.project.id,
      async open() {
        await fetchMirror(world.project.repository, world.project.remote)
        return world.project.repository
      },
    }
    const { id, branch } = await world.create('write a.md: one\n')
    await runJob(world.ports, id)
    pushFiles(world, branch, { 'a.md': '# A\n\none\n\ntwo\n' })
    const change = async () => {
      const found = await jobChange(store(), project, id)
      if (!found) throw new Error('the change is gone')
      return found
    }
    await change()
    const add = (input: Partial<NewLineComment> = {}, by = ann) =>
      addLineComment(store(), project, id, by, {
        path: 'a.md',
        side: 'new',
        line: 3,
        endLine: 3,
        body: 'Shorter',
        ...input,
      })
    const comments = async () => readReviewComments(store().db, id, change)
    const send = (remark?: string) =>
      sendComments(
        world.ports,
        world.project,
        id,
        { remark, askedBy: { kind: 'person', name: 'Ann', id: 'per_1' } },
        noLimit,
      )
    const place = (comment: string) => ({ projectId: world.project.id, jobId: id, id: comment })
    return { id, branch, project, change, add, comments, send, place }
  }

  it('quotes the lines, follows them while they move, and knows when they have changed', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { branch, add, comments } = await open(world)
    await add()
    await add({ line: 3, endLine: 5, body: 'All of it' })
    pushFiles(world, branch, { 'index.md': '# Begin\n' })
    await add({ path: 'index.md', side: 'old', line: 1, endLine: 1 })
    expect(await comments()).toMatchObject([
      { quote: 'one', author: 'Ann', state: 'draft', now: { line: 3, endLine: 3 } },
      { quote: 'one\n\ntwo', now: { line: 3, endLine: 5 } },
      { path: 'index.md', quote: '# Start', side: 'old' },
    ])
    pushFiles(world, branch, { 'a.md': '# A\n\nNew\n\none\n\ntwo changed\n' })
    const [first, second] = await comments()
    expect(first?.now).toEqual({ line: 5, endLine: 5 })
    expect(second).toMatchObject({ now: undefined, quote: 'one\n\ntwo' })
    pushFiles(world, branch, { 'a.md': undefined })
    expect((await comments())[0]?.now).toBeUndefined()
  })

  it('refuses what is not a line of the change, and says why', async () => {
    await using world = await createJobWorld(store(), writingModel())
    pushFiles(world, 'main', { 'later.md': '# Later\n' })
    const { branch, add, change } = await open(world)
    const refusals: [Partial<NewLineComment>, string, string][] = [
      [{ line: 9, endLine: 9 }, 'invalid', 'has no line'],
      [{ line: 4, endLine: 3 }, 'invalid', 'before the first'],
      [{ line: 1, endLine: 101 }, 'invalid', 'at most 100'],
      [{ path: '../../etc/passwd' }, 'invalid', 'has no line'],
      [{ path: 'gone.md' }, 'invalid', 'has no line'],
      [{ side: 'old' }, 'invalid', 'The base has no line'],
      // It is in the repository, and no part of the change.
      [{ path: 'index.md', line: 1, endLine: 1 }, 'invalid', 'has no line'],
      [{ revision: 'f'.repeat(40) }, 'conflict', 'was updated after'],
    ]
    for (const [input, code, text] of refusals)
      await expect(add(input)).rejects.toMatchObject({
        code,
        message: expect.stringContaining(text) as string,
      })
    pushFiles(world, branch, { 'index.md': '# Begin\n' })
    const { repository, from } = await change()
    const before = plainGit(repository.folder, ['rev-parse', `${from}^`])
    await expect(add({ revision: before })).rejects.toMatchObject({ code: 'conflict' })
    expect(await add({ revision: from, side: 'old', path: 'index.md', line: 1, endLine: 1 })).toMatchObject({
      quote: '# Start',
    })
    const other = { id: 'prj_other', open: () => Promise.reject(new Error('never asked')) }
    const input = { path: 'a.md', side: 'new', line: 1, endLine: 1, body: 'x' } as const
    expect(await addLineComment(store(), other, 'job_none', ann, input)).toBeUndefined()
  })

  it('lets people change their own comments until they are sent, and anybody resolve them', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { add, comments, send, place } = await open(world)
    // Pages that others look at are told of drafts, too.
    const isNews = async (act: () => Promise<unknown>): Promise<boolean> => {
      const revisions = () => readJobRevisions(store().db, [own.jobId])
      const before = await revisions()
      await act()
      return before.get(own.jobId) !== (await revisions()).get(own.jobId)
    }
    const own = place((await add())?.id ?? '')
    const gone = place('')
    expect(await isNews(async () => Object.assign(gone, { id: (await add())?.id }))).toBe(true)
    await expect(changeLineComment(store(), own, ben, { body: 'No' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(removeLineComment(store(), own, ben)).rejects.toMatchObject({ code: 'forbidden' })
    expect(await isNews(() => changeLineComment(store(), own, ann, { body: ' Longer ' }))).toBe(true)
    expect(await isNews(() => removeLineComment(store(), gone, { ...ben, isOperator: true }))).toBe(true)
    expect(await removeLineComment(store(), gone, ann)).toBe(false)
    expect(await changeLineComment(store(), { ...own, projectId: 'prj_other' }, ann, {})).toBeUndefined()
    await send()
    await expect(changeLineComment(store(), own, ann, { body: 'Late' })).rejects.toMatchObject({
      code: 'conflict',
    })
    await expect(removeLineComment(store(), own, ann)).rejects.toMatchObject({ code: 'conflict' })
    await changeLineComment(store(), own, ben, { resolved: true })
    expect(await comments()).toMatchObject([{ state: 'resolved', body: 'Longer' }])
    await changeLineComment(store(), own, ben, { resolved: false })
    expect(await comments()).toMatchObject([{ state: 'waiting' }])
  })

  it('sends all comments as one follow-up, once, and says what became of them', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id, add, comments, send } = await open(world)
    await expect(send()).rejects.toMatchObject({ code: 'conflict' })
    await add()
    await add({ line: 5, endLine: 5, body: 'Two?' }, ben)
    const sent = await Promise.allSettled([send('Thanks'), send()])
    expect(sent.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const turns = await listTurns(store().db, world.project.id, id)
    expect(turns).toHaveLength(2)
    expect(readReview(turns[1]?.prompt ?? '')?.remarks).toMatchObject([
      { path: 'a.md', line: 3, quote: 'one', body: 'Shorter' },
      { line: 5, quote: 'two', body: 'Two?' },
    ])
    expect((await comments()).map(({ turn, state }) => [turn, state])).toEqual([
      [2, 'waiting'],
      [2, 'waiting'],
    ])
    await cancelJob(store(), world.project, id)
    expect((await comments()).map(({ state }) => state)).toEqual(['failed', 'failed'])
  })

  it('keeps for each person which files they have viewed, until a file changes again', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id, branch, change } = await open(world)
    const progress = async (viewerId: string) => {
      const { files, viewed } = await readProgress(store().db, id, viewerId, await change())
      return [files, [...viewed]]
    }
    const mark = async (path: string, viewed: boolean) =>
      markViewed(store(), { projectId: world.project.id, jobId: id, viewerId: ann.id }, await change(), {
        path,
        viewed,
      })
    await mark('a.md', true)
    await mark('a.md', true)
    expect(await progress(ann.id)).toEqual([['a.md'], ['a.md']])
    expect(await progress(ben.id)).toEqual([['a.md'], []])
    await expect(mark('index.md', true)).rejects.toMatchObject({ code: 'invalid' })
    pushFiles(world, branch, { 'a.md': 'other\n', 'index.md': undefined })
    expect(await progress(ann.id)).toEqual([['a.md', 'index.md'], []])
    await mark('index.md', true)
    expect(await progress(ann.id)).toEqual([['a.md', 'index.md'], ['index.md']])
    await mark('index.md', false)
    expect(await progress(ann.id)).toEqual([['a.md', 'index.md'], []])
  })

  it('lists the commits of the branch with those who helped', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { branch, change } = await open(world)
    const tree = world.git('rev-parse', `${branch}^{tree}`)
    const message = 'By two\n\nCo-authored-by: Cy <cy@x.example>\nCo-authored-by: Cy <cy@x.example>'
    world.git(
      'update-ref',
      `refs/heads/${branch}`,
      world.git('commit-tree', tree, '-p', branch, '-m', message),
    )
    const commits = await listChangeCommits(await change())
    expect(commits.map(({ title, coAuthors }) => [title, coAuthors])).toEqual([
      ['By two', ['Cy']],
      ['By hand', []],
      [expect.any(String), []],
    ])
    expect(commits[0]?.parent).toBe(commits[1]?.id)
  })
})
