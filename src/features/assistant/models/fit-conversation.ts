import type { Result } from '../links/citations.ts'
import type { ReadersPage } from '../search/lookup.ts'
import type { Conversation, Material } from './prompt.ts'

/** How much fits into a model's window, in bytes of text. */
export interface Room {
  /** The conversation with its first material. */
  conversation: number
  /** All that is looked up later. */
  lookups: number
}

/** Bytes of a token, rather too few. */
const bytesOfToken = 3
/** Tokens: the descriptions of the tools, and what chat templates write around messages. */
const tokensAround = 700
const longestAnswer = 8000
const shareOfAnswer = 0.25
const shareOfLookups = 0.35
const leastRoom = 1500

/** What a window leaves for the conversation beside the instructions and an answer; undefined: as much as there is. */
export function roomIn(window: number | undefined, instructions: string): Room | undefined {
  if (window === undefined) return undefined
  const answer = Math.min(longestAnswer, window * shareOfAnswer)
  const room = (window - answer - tokensAround) * bytesOfToken - Buffer.byteLength(instructions)
  const left = Math.max(leastRoom, room)
  return { conversation: left * (1 - shareOfLookups), lookups: left * shareOfLookups }
}

/** What each part may take of what those before it have left. */
const mostOf = { question: 0.4, results: 0.6, context: 0.35, page: 0.5 }

/** The conversation and its material as far as they fit: the question first, then results, selection, page and history. */
export function fitConversation(
  conversation: Conversation,
  material: Material,
  { conversation: room }: Pick<Room, 'conversation'>,
): { conversation: Conversation; material: Material } {
  let left = room
  const take = <T>(value: T): T => {
    left = Math.max(0, left - sizeOf(value))
    return value
  }
  const question = take(middleCut(conversation.question, left * mostOf.question))
  const results = take(fitResults(material.search?.results ?? [], left * mostOf.results))
  const mostOfContext = left * mostOf.context
  const context = take(
    conversation.context.map((item) => ({
      ...item,
      value: cutText(item.value, mostOfContext / conversation.context.length),
    })),
  )
  const page = take(fitPage(material.page, left * mostOf.page))
  const history: Conversation['history'] = []
  for (const said of conversation.history.toReversed()) {
    if (sizeOf(said) > left) break
    history.unshift(take(said))
  }
  return {
    conversation: { ...conversation, question, context, history },
    material: { page, search: material.search && { ...material.search, results } },
  }
}

/** Results while they fit; of the first one at least its beginning. */
function fitResults(results: Result[], most: number): Result[] {
  let left = most
  const fitting: Result[] = []
  for (const result of results) {
    const size = sizeOf(result)
    if (size <= left) fitting.push(result)
    else if (fitting.length === 0) fitting.push({ ...result, content: cutText(result.content, left) })
    left -= size
    if (left <= 0) break
  }
  return fitting
}

function fitPage(page: ReadersPage | undefined, most: number): ReadersPage | undefined {
  if (!page || sizeOf(page) <= most) return page
  const sections = fitResults(page.sections, most)
  const shorter = { ...page, sections, places: [] }
  return sizeOf(shorter) <= most ? shorter : undefined
}

/** Text of at most so many bytes; a text that is cut says so. */
export function cutText(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text
  const characters = Math.floor((text.length * most) / Buffer.byteLength(text))
  return `${text.slice(0, Math.max(0, characters)).toWellFormed()} […]`
}

function middleCut(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text
  const half = Math.floor((text.length * most) / Buffer.byteLength(text) / 2)
  return `${text.slice(0, half).toWellFormed()}\n[…]\n${text.slice(-half).toWellFormed()}`
}

// The names of fields stand for the tags around a text.
function sizeOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value))
}
