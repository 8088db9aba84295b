import { allow, type Caller } from '../../../features/projects/allow.ts'
import type { Project } from '../../../features/projects/projects.ts'
import type { Verb } from '../../../features/projects/rights.ts'
import { findPerson } from '../../../features/projects/sign-in.ts'
import { visibilityOf } from '../../../features/projects/visibility.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Reader } from '../../../store/database.ts'
import { findChannel, linkedPerson, type Chat } from '../table.ts'
import type { Turn } from './ports.ts'

export type PersonCaller = Extract<Caller, { kind: 'person' }>

/** The account of a member, with the roles that it has now; undefined where none is linked. */
export async function callerIn(
  reader: Reader,
  chat: Chat,
  member: string,
): Promise<PersonCaller | undefined> {
  const id = await linkedPerson(reader, chat.id, member)
  const person = id === undefined ? undefined : await findPerson(reader, id)
  return person && { kind: 'person', person }
}

/** Why somebody may not do something, in words for the chat; undefined when they may. */
export function refusalFor(caller: Caller | undefined, verb: Verb, project: Project): string | undefined {
  if (!caller) return 'link'
  try {
    allow(caller, verb, { name: project.domain, project })
    return undefined
  } catch (error) {
    if (error instanceof AppError) return `Your account can’t do that in ${project.domain}.`
    throw error
  }
}

/** The same for work of jobs in a channel, where the team may have turned that off. */
export async function whyNotChanged(
  reader: Reader,
  { chat, project }: Pick<Turn, 'chat' | 'project'>,
  caller: Caller | undefined,
  verb: Verb,
  channel: string,
): Promise<string | undefined> {
  const decided = await findChannel(reader, chat.id, channel)
  return decided?.changes === 'nobody'
    ? 'Changes are turned off in this channel.'
    : refusalFor(caller, verb, project)
}

interface Place {
  channel: string
  member: string
  isDirect: boolean
}

/**
 * Why a question is not answered in a place; undefined when it is. Everybody in a channel reads the answers, so that a
 * private project speaks only where the team has allowed it, or to somebody alone who may read it.
 */
export async function whyNotAsked(
  reader: Reader,
  chat: Chat,
  project: Project,
  { channel, member, isDirect }: Place,
): Promise<string | undefined> {
  const isPublic = visibilityOf(project.settings) === 'public'
  const decided = isDirect ? undefined : await findChannel(reader, chat.id, channel)
  const asks = decided?.asks ?? (isPublic ? 'anyone' : isDirect ? 'linked' : 'nobody')
  if (asks === 'anyone') return undefined
  if (asks === 'linked') return refusalFor(await callerIn(reader, chat, member), 'askAssistant', project)
  return decided
    ? 'Questions are turned off in this channel.'
    : `The docs of ${project.domain} are private, and everyone in this channel would read the answer. Ask me in a direct message, or have an owner of the project allow this channel in its chat settings.`
}
