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
