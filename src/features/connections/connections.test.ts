import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { insertOrganization } from '../projects/organizations.ts'
import { insertProject } from '../projects/projects.ts'
import { findConnection, saveConnection } from './connections.ts'

describeOnStore('the connection of a project', (store) => {
  it('keeps its webhook secret on the same site, and gets a new one on another', async () => {
    const secretKey = [Buffer.alloc(32, 7)] as const
    const project = await store().transaction(async (tx) => {
      const organization = await insertOrganization(tx, 'acme', true)
      return insertProject(tx, {
        organizationId: organization.id,
        domain: 'moving',
        kind: 'https',
        location: 'https://one.example/acme/docs.git',
        ref: 'main',
        root: '',
        site: undefined,
      })
    })
    const connect = async (site: string, path: string): Promise<string | undefined> => {
      const repository = { kind: 'gitea' as const, site, path }
      const rest = { forkPath: undefined, credential: undefined, login: undefined }
      await store().transaction((tx) =>
        saveConnection(tx, secretKey, { projectId: project.id, repository, ...rest }),
      )
      return (await findConnection(store().db, secretKey, project.id))?.webhookSecret
    }
    const first = await connect('https://one.example', 'acme/docs')
    expect(first).toMatch(/.{20}/)
    expect(await connect('https://one.example', 'acme/manual')).toBe(first)
    expect(await connect('https://two.example', 'acme/docs')).not.toBe(first)
  })
})
