import { expect, it } from 'vitest'
import { RemoteUnreachable, explainRemoteFailure } from './explain-remote-failure.ts'
import { GitError } from '../process/run-git.ts'

it.each(['docs', 'archived-docs', 'ssl', 'certificates', 'file-size-exceeded'])(
  'takes the name of the repository %s for no reason',
  (name) => {
    const url = `https://git.example.com/acme/${name}.git`
    const said = `fatal: unable to access '${url}/': Failed to connect to git.example.com port 443\n`
    const found = explainRemoteFailure(new GitError('fetch', 128, said), { kind: 'url', url })
    expect(found).toBeInstanceOf(RemoteUnreachable)
    expect(found).toMatchObject({ passing: true, message: `${url} could not be reached: try again later` })
  },
)

it.each([
  [
    'extension found:\n\trefstorage\n',
    'uses extensions.refstorage, which this server’s git does not know: update git on the server to 2.45 or later, or run "git refs migrate --ref-format=files" in the repository',
  ],
  [
    'extensions found:\n\trefstorage\n\tmadeup\n',
    'uses extensions.refstorage, extensions.madeup, which this server’s git does not know: update git on the server, or add a clone of it that is made with the default formats',
  ],
])('says what to do about a repository with newer formats', (found, message) => {
  const said = `fatal: unknown repository ${found}fatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.\n`
  const error = explainRemoteFailure(new GitError('ls-remote', 128, said), {
    kind: 'folder',
    folder: '/srv/docs',
  })
  expect(error).toMatchObject({ code: 'invalid', message: `/srv/docs ${message}` })
})
