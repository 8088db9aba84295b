import { AppError } from '../../../lib/errors.ts'
import type { SigningKey } from '../../../lib/signing-key.ts'
import type { Repository } from '../git.ts'
import { requireObjectId } from '../object-id.ts'
import { runGit } from '../process/run-git.ts'

export type Person = { name: string; email: string }

/** A person whose commits are signed when there is a key. */
export type Committer = Person & { signingKey?: SigningKey | undefined }

export type CommitInput = {
  parents: readonly string[]
  message: string
  author: Committer
  /** The author, when not given. */
  committer?: Committer | undefined
  /** Both dates, to the second, in UTC. */
  date: Date
}

/** Makes a commit of a tree. The same input gives the same id. Nothing refers to it yet. */
export async function commitTree(repository: Repository, tree: string, input: CommitInput): Promise<string> {
  const author = commitPerson(input.author)
  const by = input.committer ?? input.author
  const committer = commitPerson(by)
  const date = `@${Math.floor(input.date.getTime() / 1000)} +0000`
  const message = input.message.toWellFormed().replaceAll('\0', '').replaceAll('\r\n', '\n').trim()
  if (message === '') throw new AppError('invalid', 'A commit needs a message')
  const { stdout } = await runGit(repository.git, {
    args: [
      'commit-tree',
      '--no-gpg-sign',
      requireObjectId(tree),
      ...input.parents.flatMap((id) => ['-p', requireObjectId(id)]),
    ],
    folder: repository.folder,
    input: `${message}\n`,
    environment: {
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: committer.name,
      GIT_COMMITTER_EMAIL: committer.email,
      GIT_COMMITTER_DATE: date,
    },
  })
  const commit = stdout.toString().trim()
  return by.signingKey === undefined ? commit : signCommit(repository, commit, by.signingKey)
}

/**
 * Writes a commit again with its signature, as `git commit-tree -S` does with `gpg.format=ssh`, but without a program that
 * reads the key from a file.
 */
async function signCommit(repository: Repository, commit: string, key: SigningKey): Promise<string> {
  const { git, folder } = repository
  const { stdout } = await runGit(git, { args: ['cat-file', 'commit', requireObjectId(commit)], folder })
  const end = stdout.indexOf('\n\n') + 1
  const name = commit.length === 64 ? 'gpgsig-sha256' : 'gpgsig'
  const header = `${name} ${key.sign(stdout, 'git').replaceAll('\n', '\n ')}\n`
  const written = await runGit(git, {
    args: ['hash-object', '-t', 'commit', '-w', '--stdin'],
    folder,
    input: () => [stdout.subarray(0, end), header, stdout.subarray(end)],
  })
  return requireObjectId(written.stdout.toString().trim())
}

/** A person as git writes them into commits. @throws AppError `invalid` for one without a name or an e-mail address */
export function commitPerson(given: Person): Person {
  const name = plain(given.name)
  const email = plain(given.email)
  // git refuses a name that consists of punctuation. This check says where the name came from.
  if (!/[^\s.,:;"'\\]/.test(name) || email === '') {
    throw new AppError('invalid', 'The commit identity needs a name and an email address')
  }
  return { name, email }
}

function plain(text: string): string {
  return (
    text
      .toWellFormed()
      .replaceAll(/[\p{Cc}<>]/gu, '')
      .slice(0, 200)
      .toWellFormed()
      // git leaves these out too. A sign-off has to name the same person as the commit.
      .replaceAll(/^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g, '')
  )
}
