import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { testForge } from '../../../../tests/worlds/hosts/forge-contract.ts'
import { createSigner } from '../../../../tests/worlds/git/signer.ts'
import { someone } from '../../../../tests/worlds/git/temporary-git.ts'
import { createLocalWorld, type LocalWorld } from '../../../../tests/worlds/local-world.ts'
import { mergePullRequest, mergeability, type Merger } from './merge-pull-request.ts'
import { closePullRequest, reopenPullRequest } from './pull-request-state.ts'
import {
  listPullRequests,
  opensPullRequest,
  pullRequestDiff,
  readPullRequestDetail,
} from './pull-request-detail.ts'

const text = { title: 'Say more', body: 'Because.', base: 'main', draft: false }

describeOnStore('the local forge', (store) => {
  testForge(() => createLocalWorld(store()))

  it('merges with a merge commit, whatever came onto the base meanwhile', async () => {
    await using world = await createLocalWorld(store())
    await world.push('work', 'a.md', 'a\n')
    const { number } = await world.forge.open({ ...text, head: 'work' })
    await world.push('main', 'b.md', 'b\n')
    expect(await mergeability(world.ports, world.project, number)).toEqual({
      state: 'clean',
      conflicts: [],
      behind: 1,
    })
    const merged = await mergePullRequest(world.ports, world.project, { number, author: someone })
    expect(world.git('rev-parse', 'main')).toBe(merged.merge_commit)
    expect(world.git('log', '-1', '--format=%an %P', 'main').split(' ')).toHaveLength(3)
    expect(world.git('ls-tree', '--name-only', 'main').split('\n')).toEqual(['a.md', 'b.md', 'index.md'])
    expect(world.changes).toEqual([{ projectId: world.project.id, number, state: 'merged' }])
    await expect(
      mergePullRequest(world.ports, world.project, { number, author: someone }),
    ).rejects.toMatchObject({ code: 'conflict' })
    const detail = await readPullRequestDetail(world.ports, world.project, number)
    if (!detail) throw new Error('the pull request is gone')
    expect((await pullRequestDiff(world.project, detail)).files.map((file) => file.path)).toEqual(['a.md'])
  })

  it('signs merge commits, and signs them off as the project wants', async () => {
    await using world = await createLocalWorld(store())
    const { key, allowedSigners } = await createSigner(someone.email)
    const author = { ...someone, signingKey: key }
    const by: Merger = { name: 'Ada', email: 'ada@example.com' }
    const told: string[] = []
    for (const signOff of ['off', 'server', 'person'] as const) {
      await world.push(signOff, `${signOff}.md`, 'a\n')
      const { number } = await world.forge.open({ ...text, head: signOff })
      await mergePullRequest(world.ports, world.project, { number, author, by, signOff })
      world.git('-c', `gpg.ssh.allowedSignersFile=${allowedSigners}`, 'verify-commit', 'main')
      told.push(world.git('log', '-1', '--format=%an, %cn, %(trailers:unfold,separator=%x2C )', 'main'))
    }
    expect(told).toEqual([
      'Someone, Someone, Merged-by: Ada',
      'Someone, Someone, Merged-by: Ada, Signed-off-by: Someone <someone@example.com>',
      'Ada, Someone, Signed-off-by: Ada <ada@example.com>',
    ])
  })

  it('names the files that both sides changed and merges nothing', async () => {
    await using world = await createLocalWorld(store())
    await world.push('work', 'index.md', 'two\n')
    const { number } = await world.forge.open({ ...text, head: 'work' })
    await world.push('main', 'index.md', 'three\n')
    const before = world.git('rev-parse', 'main')
    expect(await mergeability(world.ports, world.project, number)).toEqual({
      state: 'conflicts',
      conflicts: ['index.md'],
      advice: expect.stringContaining('merge main into work by hand') as string,
      behind: 1,
    })
    await expect(mergePullRequest(world.ports, world.project, { number, author: someone })).rejects.toThrow(
      'both changed index.md',
    )
    expect(world.git('rev-parse', 'main')).toBe(before)
    expect(await world.forge.read(number)).toMatchObject({ state: 'open' })
  })

  it('refuses to merge into a branch that a person has checked out, and says what to do', async () => {
    await using world = await createLocalWorld(store(), { checkout: true })
    await world.push('work', 'a.md', 'a\n')
    const { number } = await world.forge.open({ ...text, head: 'work' })
    const before = await mergeability(world.ports, world.project, number)
    expect(before).toMatchObject({
      state: 'checked_out',
      advice: expect.stringContaining('git merge --no-ff work') as string,
    })
    await expect(mergePullRequest(world.ports, world.project, { number, author: someone })).rejects.toThrow(
      'git switch',
    )
    expect(world.changes).toEqual([])
    world.git('switch', '--quiet', '--detach')
    await mergePullRequest(world.ports, world.project, { number, author: someone })
    expect(world.git('ls-tree', '--name-only', 'main')).toContain('a.md')
  })

  it('knows of a branch that is checked out in a linked work tree, and of its merge there', async () => {
    await using world = await createLocalWorld(store(), { checkout: true })
    await world.push('work', 'a.md', 'a\n')
    const { number } = await world.forge.open({ ...text, head: 'work' })
    world.git('switch', '--quiet', '--detach')
    expect(await mergeability(world.ports, world.project, number)).toMatchObject({ state: 'clean' })
    world.git('worktree', 'add', '--quiet', '../linked', 'main')
    expect(await mergeability(world.ports, world.project, number)).toMatchObject({
      state: 'checked_out',
      advice: expect.stringMatching(/checked out in \S+\/linked,/) as string,
    })
    world.git('-C', '../linked', 'merge', '--quiet', '--no-ff', '--no-edit', 'work')
    expect(await mergeability(world.ports, world.project, number)).toMatchObject({ state: 'merged' })
  })

  it('notices a merge that was made by hand, and tells of it once', async () => {
    await using world = await createLocalWorld(store())
    await world.push('work', 'a.md', 'a\n')
    const { number } = await world.forge.open({ ...text, head: 'work' })
    world.git('update-ref', 'refs/heads/main', 'work')
    await Promise.all([1, 2, 3].map(() => world.forge.read(number)))
    expect(await world.forge.findByHead('work')).toMatchObject({ state: 'merged' })
    expect(world.changes).toEqual([{ projectId: world.project.id, number, state: 'merged' }])
  })

  it('opens a closed one again, with the branch as it is now, and tells who did it', async () => {
    await using world = await createLocalWorld(store())
    await world.push('work', 'a.md', 'a\n')
    const { number } = await world.forge.open({ ...text, head: 'work' })
    const reopen = () => reopenPullRequest(world.ports, world.project, number, 'Ann')
    await closePullRequest(world.ports, world.project, number, 'Ben')
    await world.push('work', 'b.md', 'b\n', 'work')
    await Promise.all([reopen(), reopen()])
    expect(await world.forge.read(number)).toMatchObject({ state: 'open' })
    expect(await filesOf(world, number)).toEqual(['a.md', 'b.md'])
    expect(world.changes.map(({ state, by }) => [state, by])).toEqual([
      ['closed', 'Ben'],
      ['open', 'Ann'],
    ])
    await world.close(number)
    await world.deleteBranch('work')
    await expect(reopen()).rejects.toThrow('no longer exists: push it again')
    world.git('branch', 'work', 'main')
    await expect(reopen()).rejects.toThrow('main already has everything')
    await expect(reopenPullRequest(world.ports, world.project, 9)).rejects.toMatchObject({
      code: 'not_found',
    })
    await world.push('work', 'c.md', 'c\n')
    const other = await world.forge.open({ ...text, head: 'work' })
    await expect(reopen()).rejects.toThrow(`Pull request ${other.number} of the same branch is open`)
    await world.merge(other.number)
    await expect(reopenPullRequest(world.ports, world.project, other.number)).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  it('names the person who merges as they want to be named', async () => {
    await using world = await createLocalWorld(store())
    const merged = async (by: Merger) => {
      await world.push('work', 'a.md', `${JSON.stringify(by)}\n`)
      const { number } = await world.forge.open({ ...text, head: 'work' })
      await mergePullRequest(world.ports, world.project, { number, author: someone, by })
      return world.git('log', '-1', '--format=%an <%ae>, %cn%n%b', 'main')
    }
    const ann = { name: 'Ann', email: 'ann@example.com' }
    const server = `${someone.name} <${someone.email}>, ${someone.name}`
    expect(await merged(ann)).toBe(`${server}\nSay more\n\nMerged-by: Ann`)
    expect(await merged({ ...ann, credit: 'co-author' })).toContain('Co-authored-by: Ann <ann@example.com>')
    expect(await merged({ ...ann, credit: 'author' })).toBe(
      `Ann <ann@example.com>, ${someone.name}\nSay more`,
    )
    const hostile = await merged({ name: 'Eve\n\nCo-authored-by: X <x@y.example>', credit: 'author' })
    expect(hostile).toBe(`${server}\nSay more\n\nMerged-by: Eve Co-authored-by: X x@y.example`)
  })

  it('merges once when two people press the button at once', async () => {
    await using world = await createLocalWorld(store())
    await world.push('work', 'a.md', 'a\n')
    const { number } = await world.forge.open({ ...text, head: 'work' })
    const results = await Promise.allSettled([1, 2].map(() => world.merge(number)))
    expect(results.some((result) => result.status === 'fulfilled')).toBe(true)
    expect(world.git('rev-list', '--merges', '--count', 'main')).toBe('1')
    expect(world.changes).toHaveLength(1)
  })

  it('keeps the diff readable after the branch is gone', async () => {
    await using world = await createLocalWorld(store())
    await world.push('work', 'a.md', 'a\n')
    const { number } = await world.forge.open({ ...text, head: 'work' })
    await world.push('work', 'b.md', 'b\n', 'work')
    expect(await filesOf(world, number)).toEqual(['a.md', 'b.md'])
    await world.close(number)
    await world.deleteBranch('work')
    await world.forge.findByHead('work')
    expect(await filesOf(world, number)).toEqual(['a.md', 'b.md'])
    expect(world.git('branch', '--list', 'work')).toBe('')
  })

  it('refuses comments that say nothing, too much, or belong nowhere', async () => {
    await using world = await createLocalWorld(store())
    await world.push('work', 'a.md', 'a\n')
    const { number } = await world.forge.open({ ...text, head: 'work' })
    await expect(world.comment(number, ' \n')).rejects.toMatchObject({ code: 'invalid' })
    await expect(world.comment(number, 'x'.repeat(20_001))).rejects.toMatchObject({ code: 'invalid' })
    await expect(world.comment(number + 1, 'x')).rejects.toMatchObject({ code: 'not_found' })
    await Promise.all(['a', 'b', 'c'].map((body) => world.comment(number, body)))
    const bodies = (await world.forge.commentsSince(number, undefined)).map(({ body }) => body)
    expect(bodies.toSorted()).toEqual(['a', 'b', 'c'])
  })

  it('lists the newest first and opens one to whoever has its token', async () => {
    await using world = await createLocalWorld(store())
    for (const head of ['one', 'two']) {
      await world.push(head, `${head}.md`, head)
      await world.forge.open({ ...text, head })
    }
    await world.close(1)
    const all = await listPullRequests(world.ports, world.project, { limit: 10 })
    expect(all.map(({ number, state }) => [number, state])).toEqual([
      [2, 'open'],
      [1, 'closed'],
    ])
    expect(await listPullRequests(world.ports, world.project, { state: 'open', limit: 10 })).toHaveLength(1)
    const link = new URL(all[0]?.link ?? '', 'https://docwright.example')
    const token = link.searchParams.get('token') ?? ''
    expect(link.pathname).toBe(`/projects/${world.project.domain}/pulls/2`)
    expect(await opensPullRequest(store().db, world.project.id, 2, token)).toBe(true)
    expect(await opensPullRequest(store().db, world.project.id, 1, token)).toBe(false)
    expect(await opensPullRequest(store().db, 'prj_other', 2, token)).toBe(false)
  })
})

async function filesOf(world: LocalWorld, number: number): Promise<string[]> {
  const detail = await readPullRequestDetail(world.ports, world.project, number)
  if (!detail) throw new Error('the pull request is gone')
  return (await pullRequestDiff(world.project, detail)).files.map((file) => file.path)
}
