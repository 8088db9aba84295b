import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createBareRepository } from '../../../../tests/repository.ts'
import { temporaryGit } from '../../../../tests/worlds/git/temporary-git.ts'
import { openMirror } from '../../../integrations/git/mirrors/open-mirror.ts'
import { registeredFolder } from '../../../integrations/git/remote.ts'
import { patternsOf, searchCode, type CodeRepository } from './search-code.ts'

const files = {
  'src/limits.ts': 'export const other = 1\n\nexport const maxUploadSize = 25 * mebibyte\n',
  'tests/limits.test.ts': "import { maxUploadSize } from '../src/limits.ts'\n",
  'src/retry.ts': '// Retries a request\nexport function retryWithBackoff() {}\n',
}

async function repositoryOf(given: Record<string, string>): Promise<CodeRepository> {
  const { git, folder } = await temporaryGit()
  const remote = registeredFolder(await createBareRepository(given))
  return {
    name: 'api',
    ref: 'main',
    open: async () => ({ repository: await openMirror(git, join(folder, 'mirror.git')), remote }),
    addressOf: ({ path, commit, line }) => `https://git.example/acme/api/blob/${commit}/${path}#L${line}`,
  }
}

const options = { signal: new AbortController().signal, onError: () => undefined }

it('finds an identifier at its file and line, at the commit, code before its tests', async () => {
  const hits = await searchCode([await repositoryOf(files)], 'maxUploadSize', options)
  expect(hits.map(({ place }) => place)).toEqual(['@api/src/limits.ts:3', '@api/tests/limits.test.ts:1'])
  const [first] = hits
  expect(first?.url).toBe(`https://git.example/acme/api/blob/${first?.commit}/src/limits.ts#L3`)
  expect(first?.lines).toEqual([{ line: 3, text: 'export const maxUploadSize = 25 * mebibyte' }])
})

it('finds most of the words where no line holds the text', async () => {
  const hits = await searchCode([await repositoryOf(files)], 'retry a request with backoff', options)
  expect(hits[0]?.place).toMatch(/^@api\/src\/retry\.ts:/)
})

it('finds nothing for nonsense, and goes on without a repository that cannot be read', async () => {
  const good = await repositoryOf(files)
  const errors: unknown[] = []
  const gone: CodeRepository = { ...good, name: 'gone', open: () => Promise.reject(new Error('gone')) }
  const both = { ...options, onError: (error: unknown) => void errors.push(error) }
  expect(await searchCode([gone, good], 'zzzyyyxxx', both)).toEqual([])
  expect((await searchCode([gone, good], 'maxUploadSize', both)).length).toBe(2)
  expect(errors).toHaveLength(2)
})

it('takes identifiers out of a sentence', () => {
  expect(patternsOf('where is config.maxSize set?\n--help')).toEqual([
    'where is config.maxSize set? --help',
    'config.maxSize',
    'where',
    'help',
    'set',
  ])
})
