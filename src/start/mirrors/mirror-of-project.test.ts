import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mirrorName } from './mirror-names.ts'
import { mirrorOfProject } from './mirror-of-project.ts'

it('finds the mirror of a project on a git host, and says what to do without one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-mirrors-'))
  const location = 'https://github.com/example/handbook'
  const project = { domain: 'handbook', kind: 'https', repository: location, organization: 'org_1' }
  const path = join(folder, 'mirrors', mirrorName({ kind: 'https', location, organizationId: 'org_1' }))
  await expect(mirrorOfProject(folder, project)).rejects.toThrow('name the clone with --folder')
  await mkdir(path, { recursive: true })
  expect(await mirrorOfProject(folder, project)).toBe(path)
  await expect(mirrorOfProject(folder, { ...project, kind: 'path' })).rejects.toThrow(
    'is a folder on this server',
  )
})
