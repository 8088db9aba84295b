import { explainRemoteFailure } from './explain-remote-failure.ts'
import type { Git, Repository } from '../git.ts'
import { runGit } from '../process/run-git.ts'
import { remoteOperand, type Remote } from '../remote.ts'

const mostReferences = 5000
const kinds = ['refs/heads', 'refs/tags']

/**
 * The branches and tags of a remote with their commits, asked without fetching anything; the first 5,000.
 * @throws AppError as `checkRemote`
 */
export async function listRemoteReferences(
  git: Git,
  remote: Remote,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<Map<string, string>> {
  const args = [
    'ls-remote',
    '--quiet',
    '--',
    await remoteOperand(remote),
    ...kinds.map((kind) => `${kind}/*`),
  ]
  const { stdout } = await runGit(git, { args, remote, signal: options.signal }).catch((error: unknown) => {
    throw explainRemoteFailure(error, remote)
  })
  const lines = stdout.toString().split('\n')
  return mapOf(lines.map((line) => line.split('\t')))
}

/** The branches and tags of a repository here with their commits; the first 5,000. */
export async function listReferences({ git, folder }: Repository): Promise<Map<string, string>> {
  const format = '--format=%(objectname)%09%(refname)%09%(*objectname)'
  const { stdout } = await runGit(git, { args: ['for-each-ref', format, ...kinds], folder })
  const lines = stdout.toString().split('\n')
  return mapOf(
    lines.map((line) => {
      const [id = '', name = '', tagged = ''] = line.split('\t')
      return [tagged === '' ? id : tagged, name]
    }),
  )
}

/** A tag with a message is listed twice, the second time with its commit. */
function mapOf(pairs: readonly (readonly string[])[]): Map<string, string> {
  const references = new Map<string, string>()
  for (const [id = '', name = ''] of pairs) {
    const plain = name.replace(/\^\{\}$/, '')
    if (name !== '' && (references.has(plain) || references.size < mostReferences)) references.set(plain, id)
  }
  return references
}
