import { AppError } from '../../../lib/errors.ts'
import { commitPerson, type Person } from './commit-tree.ts'

/** Whose `Signed-off-by` commits carry: nobody's, the server's, or that of the person who asked. */
export type SignOff = 'off' | 'server' | 'person'

/**
 * The author of a commit and its `Signed-off-by` line. Programs that check sign-offs compare them with the author or the
 * committer, so a person who signs off is the author.
 * @param person who asked, if somebody with a name and an e-mail address is known
 */
export function signOffBy(
  signOff: SignOff,
  server: Person,
  person: Person | undefined,
): { author: Person; trailer: string | undefined } {
  const requester = signOff === 'person' && person !== undefined ? known(person) : undefined
  const author = requester ?? server
  if (signOff === 'off') return { author, trailer: undefined }
  const { name, email } = commitPerson(author)
  return { author, trailer: `Signed-off-by: ${name} <${email}>` }
}

function known(person: Person): Person | undefined {
  try {
    return commitPerson(person)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return undefined
  }
}
