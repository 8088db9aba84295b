import { AppError } from '../../../lib/errors.ts'
import type { Repository } from '../git.ts'
import { requireObjectId } from '../object-id.ts'
import { runGit } from '../process/run-git.ts'

export type Person = { name: string; email: string }

export type CommitInput = {
  parents: readonly string[]
  message: string
  author: Person
  /** The author, when not given. */
  committer?: Person | undefined
  /** Both dates, to the second, in UTC. */
  date: Date
}

/** Makes a commit of a tree. The same input gives the same id. Nothing refers to it yet. */
export async function commitTree(repository: Repository, tree: string, input: CommitInput): Promise<string> {
  const author = person(input.author)
  const committer = person(input.committer ?? input.author)
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
  return stdout.toString().trim()
}

function person(given: Person): Person {
  const name = plain(given.name)
  const email = plain(given.email)
  // git refuses a name that consists of punctuation. This check says where the name came from.
  if (!/[^\s.,:;"'\\]/.test(name) || email === '') {
    throw new AppError('invalid', 'The commit identity needs a name and an e-mail address')
  }
  return { name, email }
}

function plain(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}<>]/gu, '')
    .trim()
    .slice(0, 200)
}
