import { z } from 'zod'
import { mostComments, type Comment, type Forge } from '../forge.ts'
import { hasMarker, isOurs, markComment } from '../comment-marker.ts'
import type { CodeRequests, HostedRepository } from '../host.ts'
import type { HostApi } from '../http/host-client.ts'
import { isAnswer } from '../http/host-failure.ts'
import { noteAnswer, placeOf, type Note } from './gitlab-answers.ts'
import { whenAllowed, type GitLabProject } from './gitlab-project.ts'
import { writtenText } from './written-text.ts'
import { rememberAnswers } from '../http/remember-answers.ts'

export interface Comments {
  since: Forge['commentsSince']
  post: HostedRepository['postComment']
  keep: CodeRequests['keepComment']
  react: HostedRepository['react']
}

// Higher than the number of comments, because GitLab's own notes are among those that are read.
const maxNotes = 5000
/** The number of people's comments among which an answer of this server is looked for. */
const recent = 200

export function createComments(project: GitLabProject): Comments {
  const { client, path } = project
  const trusts = createTrust(project)
  return {
    since: (number, since) =>
      client.operation(`read the comments of merge request ${number} in ${path}`, async (api) => {
        const isOld = (note: Note) => since !== undefined && note.created_at < since
        const notes = await readNotes(project, api, number, mostComments, isOld)
        const said = notes.filter((note) => isPersonal(note) && !isOld(note)).slice(0, mostComments)
        const comments: Comment[] = []
        for (const note of said.toReversed())
          comments.push(toComment(note, await trusts(api, note.author?.id)))
        return comments
      }),
    post: (number, body, marker) =>
      client.operation(`comment on merge request ${number} in ${path}`, async (api) => {
        const find = async () => {
          const notes = await readNotes(project, api, number, recent)
          return notes.find((note) => hasMarker(note.body ?? '', marker))
        }
        if (await find()) return
        const place = await notesOf(project, api, number)
        await api.create(place, { body: markComment(writtenText(body), marker) }, noteAnswer, find)
      }),
    keep: (number, body, marker, onlyEdit = false) =>
      client.operation(`comment on merge request ${number} in ${path}`, async (api) => {
        const text = markComment(writtenText(body), marker)
        const find = async () => {
          const notes = await readNotes(project, api, number, mostComments)
          return notes.find((note) => hasMarker(note.body ?? '', marker))
        }
        const place = await notesOf(project, api, number)
        const present = await find()
        if (present === undefined) {
          if (!onlyEdit) await api.create(place, { body: text }, noteAnswer, find)
        } else if (present.body?.trim() !== text.trim())
          await api.replace('PUT', `${place}/${present.id}`, { body: text }, noteAnswer)
      }),
    react: (number, commentId) =>
      client.operation(`acknowledge a comment in ${path}`, async (api) => {
        if (!/^\d{1,15}$/.test(commentId)) return
        const place = `${await notesOf(project, api, number)}/${commentId}/award_emoji`
        try {
          await api.replace('POST', place, { name: 'eyes' }, z.unknown())
        } catch (error) {
          // GitLab answers 404 when the reaction exists already, or when the comment was deleted.
          if (!isAnswer(error, 404)) throw error
        }
      }),
  }
}

async function notesOf(project: GitLabProject, api: HostApi, number: number): Promise<string> {
  return `/projects/${await project.target(api)}/merge_requests/${number}/notes`
}

/** Reads notes, newest first, until there are `enough` of people or one is old. */
async function readNotes(
  project: GitLabProject,
  api: HostApi,
  number: number,
  enough: number,
  isOld: (note: Note) => boolean = () => false,
): Promise<Note[]> {
  let said = 0
  return api.list(await notesOf(project, api, number), noteAnswer, {
    query: { sort: 'desc', order_by: 'created_at', per_page: 100 },
    max: maxNotes,
    until: (page) => {
      said += page.filter(isPersonal).length
      return said >= enough || page.some(isOld)
    },
  })
}

function isPersonal({ system, internal, confidential, author, body }: Note): boolean {
  const isHidden = internal === true || confidential === true
  return system !== true && !isHidden && Boolean(author) && !isOurs(body ?? '')
}

function toComment(note: Note, standing: Pick<Comment, 'trusted' | 'bot'>): Comment {
  return {
    id: String(note.id),
    author: note.author?.username ?? '',
    body: note.body ?? '',
    createdAt: note.created_at,
    ...standing,
    ...placeOf(note.position),
  }
}

const developer = 30

const member = z.object({ access_level: z.number(), state: z.string().nullish() })
const account = z.object({ bot: z.boolean().nullish() })

/** What is known about an author; `trusted` is undefined where GitLab does not tell. */
interface Standing {
  trusted: boolean | undefined
  bot?: true
}

/**
 * Tells whether a person may write to the project, also by inherited membership. Answers are kept for five minutes.
 */
function createTrust(project: GitLabProject) {
  const remember = rememberAnswers<Standing>(project.ports)
  return async (api: HostApi, user: number | undefined): Promise<Standing> =>
    user === undefined ? { trusted: false } : remember(user, () => ask(project, api, user))
}

async function ask(project: GitLabProject, api: HostApi, user: number): Promise<Standing> {
  try {
    const membership = await api.find(`/projects/${await project.target(api)}/members/all/${user}`, member)
    const isActive = (membership?.state ?? 'active') === 'active'
    const trusted = membership !== undefined && membership.access_level >= developer && isActive
    if (!trusted) return { trusted }
    // Access tokens of projects and groups, and service accounts, are members like people are.
    const { bot } = (await whenAllowed(() => api.find(`/users/${user}`, account))) ?? {}
    return bot === true ? { trusted, bot } : { trusted }
  } catch (error) {
    if (isAnswer(error, 403)) return { trusted: undefined }
    throw error
  }
}
