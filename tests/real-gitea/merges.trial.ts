import { expect, it } from 'vitest'
import { startGiteaProduct, until } from './gitea-product.ts'
import { createPerson, createRepository } from './gitea-site.ts'

it('merges by the host: refused by its protection, by its styles, then once, squashed', async () => {
  const [owner, bot] = [await createPerson('keeper'), await createPerson('merger')]
  await using repository = await createRepository(owner, [bot])
  const { path } = repository
  await using product = await startGiteaProduct(path, bot)
  const first = await product.ask('Replace "one" with "two" in index.md')
  expect(first).toMatchObject({ status: 'completed', failure: null, pullRequest: { number: 1 } })
  const merge = (...words: string[]) => product.command('pull', 'merge', '1', '--project', 'tea', ...words)

  const protection = { rule_name: 'main', required_approvals: 1, enable_merge_whitelist: false }
  await owner.ask('POST', `/repos/${path}/branch_protections`, protection)
  const unread = await merge()
  expect([unread.code, unread.stderr]).toEqual([expect.any(Number), expect.stringMatching(/approv/i)])
  const place = `/repos/${path}/branch_protections/main`
  await owner.ask('PATCH', place, {
    required_approvals: 0,
    enable_status_check: true,
    status_check_contexts: ['ci'],
  })
  const unchecked = await merge()
  expect(unchecked.stderr).toMatch(/required status checks[^]*wait until the checks have passed/)
  await owner.ask('PATCH', place, {
    enable_status_check: false,
    enable_merge_whitelist: true,
    merge_whitelist_usernames: [owner.name],
  })
  const unnamed = await merge()
  expect(unnamed.stderr).toMatch(/not allowed to merge[^]*account of the credential/)
  await owner.ask('DELETE', place)

  await owner.ask('PATCH', `/repos/${path}`, {
    allow_merge_commits: false,
    allow_rebase: false,
    allow_rebase_explicit: false,
    allow_fast_forward_only_merge: false,
    allow_squash_merge: true,
    default_merge_style: 'squash',
  })
  expect((await merge('--style', 'rebase')).stderr).toMatch(/it allows squash/)
  const done = await merge('--json')
  expect([done.code, done.stderr]).toEqual([0, ''])
  expect(JSON.parse(done.stdout)).toMatchObject({ state: 'merged', mergeStyles: ['squash'] })
  expect(await owner.ask('GET', `/repos/${path}/pulls/1`)).toMatchObject({ merged: true })
  expect((await merge()).stderr).toMatch(/already merged/)
  await until(async () => (await product.read(first.id)).pullRequest?.state === 'merged')
})
