import { setTimeout as delay } from 'node:timers/promises'
import { describe } from 'vitest'
import { plainTitle } from '../../src/integrations/forges/gitea/pull-requests.ts'
import { createGitea } from '../../src/integrations/forges/gitea/gitea.ts'
import { testForge, type ForgeWorld } from '../worlds/hosts/forge-contract.ts'
import { plainGit } from '../worlds/git/temporary-git.ts'
import { createPerson, createRepository, createToken, giteaSite, patiently, pushPage } from './gitea-site.ts'

const owner = await createPerson('owner')
const bot = await createPerson('bot')
const token = await createToken(bot)
const ports = {
  fetch,
  now: () => new Date(),
  delay: (milliseconds: number) => delay(milliseconds),
}

async function createRealWorld(): Promise<ForgeWorld> {
  const repository = await createRepository(owner, [bot])
  const address = { site: giteaSite, path: repository.path }
  const { forge } = createGitea().open(ports, { kind: 'token', token }, address, undefined)
  const pulls = `/repos/${repository.path}/pulls`
  return {
    forge,
    push: async (branch, path, content, from = 'main') => pushPage(repository, branch, path, content, from),
    async deleteBranch(branch) {
      plainGit(repository.folder, ['push', '--quiet', 'origin', `:refs/heads/${branch}`])
    },
    // Whether it can be merged is found out after it was opened.
    merge: (number) => patiently(() => owner.ask('POST', `${pulls}/${number}/merge`, { Do: 'merge' })),
    close: async (number) => void (await owner.ask('PATCH', `${pulls}/${number}`, { state: 'closed' })),
    comment: async (number, body) =>
      void (await owner.ask('POST', `/repos/${repository.path}/issues/${number}/comments`, { body })),
    edit: async (number, text) => void (await owner.ask('PATCH', `${pulls}/${number}`, text)),
    async readText(number) {
      const { title, body } = (await owner.ask('GET', `${pulls}/${number}`)) as {
        title: string
        body: string
      }
      return { title: plainTitle(title), body }
    },
    [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose](),
  }
}

describe('a real Gitea', () => {
  testForge(createRealWorld)
})
