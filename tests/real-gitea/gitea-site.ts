import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { plainGit } from '../worlds/git/temporary-git.ts'

/**
 * A Gitea or Forgejo with an administrator's name and password. It gets users and repositories of its own for each run,
 * and they stay: take one that was made for this.
 */
const site = required('GITEA_URL').replace(/\/+$/, '')
const admin = { name: required('GITEA_USER'), password: required('GITEA_PASSWORD') }
const run = randomBytes(4).toString('hex')
const password = `pw-${randomBytes(12).toString('hex')}`

export interface Person {
  name: string
  /** The answer of the API, undefined for an empty one. @throws when it is no success */
  ask: (method: string, path: string, body?: unknown) => Promise<unknown>
  /** For git over http. */
  address: (path: string) => string
}

export const giteaSite = site

/** A new account. */
export async function createPerson(title: string): Promise<Person> {
  const name = `${title}-${run}`
  const email = `${name}@example.com`
  const account = { username: name, email, password, must_change_password: false }
  await person(admin.name, admin.password).ask('POST', '/admin/users', account)
  return person(name, password)
}

/** A token that may do what jobs need, and read who it belongs to. */
export async function createToken({ name, ask }: Person): Promise<string> {
  const scopes = ['write:repository', 'write:issue', 'read:user', 'read:organization']
  const made = await ask('POST', `/users/${name}/tokens`, { name: randomBytes(4).toString('hex'), scopes })
  return (made as { sha1: string }).sha1
}

export interface GiteaRepository extends AsyncDisposable {
  path: string
  /** Where the owner works. */
  folder: string
}

/** A repository with one page on `main`, in which `writers` may write: the owner's, or the organization's. */
export async function createRepository(
  owner: Person,
  writers: Person[],
  organization?: string,
): Promise<GiteaRepository> {
  const name = `docs-${randomBytes(4).toString('hex')}`
  const path = `${organization ?? owner.name}/${name}`
  const place = organization === undefined ? '/user/repos' : `/orgs/${organization}/repos`
  await owner.ask('POST', place, { name, private: true, default_branch: 'main' })
  for (const writer of writers) {
    await owner.ask('PUT', `/repos/${path}/collaborators/${writer.name}`, { permission: 'write' })
  }
  const folder = await mkdtemp(join(tmpdir(), 'docwright-real-gitea-'))
  plainGit(folder, ['init', '--quiet', '--initial-branch=main'])
  plainGit(folder, ['remote', 'add', 'origin', owner.address(path)])
  const repository: GiteaRepository = {
    path,
    folder,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
  pushPage(repository, 'main', 'index.md', 'one\n')
  // It takes a moment to notice what was pushed first, and refuses pull requests until then.
  for (let tries = 0; tries < 150; tries++) {
    const { empty } = (await owner.ask('GET', `/repos/${path}`)) as { empty: boolean }
    if (!empty) return repository
    await delay(100)
  }
  throw new Error(`${path} stays empty`)
}

/** Commits a change of a page on top of `from` and pushes it as `branch`. */
export function pushPage(
  { folder }: GiteaRepository,
  branch: string,
  path: string,
  content: string,
  from?: string,
): void {
  if (from !== undefined) plainGit(folder, ['fetch', '--quiet', 'origin'])
  if (from !== undefined) plainGit(folder, ['checkout', '--quiet', '-B', branch, `origin/${from}`])
  const blob = plainGit(folder, ['hash-object', '-w', '--stdin'], content)
  plainGit(folder, ['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`])
  plainGit(folder, ['commit', '--quiet', '--message', `Change ${path}`])
  plainGit(folder, ['push', '--quiet', '--force', 'origin', `HEAD:refs/heads/${branch}`])
}

function person(name: string, secret: string): Person {
  const authorization = `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`
  return {
    name,
    async ask(method, path, body) {
      const request = {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }
      let response = await fetch(`${site}/api/v1${path}`, request)
      // With SQLite it fails now and then when it has much to do.
      for (let tries = 0; response.status === 500 && tries < 10; tries++) {
        await delay(300)
        response = await fetch(`${site}/api/v1${path}`, request)
      }
      const said = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${said}`)
      return said === '' ? undefined : (JSON.parse(said) as unknown)
    },
    address: (path) => site.replace('://', `://${name}:${encodeURIComponent(secret)}@`) + `/${path}.git`,
  }
}

function required(name: string): string {
  const value = process.env[name]
  if (value) return value
  throw new Error(
    'Set GITEA_URL, GITEA_USER and GITEA_PASSWORD: a Gitea or Forgejo to try on, and an administrator of it',
  )
}

/** Gitea refuses for a while what it has not looked at yet. */
export async function patiently(ask: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await ask()
      return
    } catch (error) {
      if (attempt === 20) throw error
      await delay(500)
    }
  }
}
