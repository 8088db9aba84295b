import type { ModelMessage } from 'ai'
import type { ContextItem } from './ports.ts'

/** A file that came with a question, as the client says: untrusted. */
export interface Attachment {
  name: string | undefined
  mediaType: string | undefined
  /** A data URL. Other addresses are never fetched. */
  url: string
}

/** An image in a form that models take. */
export interface Image {
  mediaType: string
  base64: string
}

interface ReadAttachments {
  /** Text files, which are read as if the reader had selected them. */
  context: ContextItem[]
  images: Image[]
  /** Says which files nobody reads; undefined when all are read. */
  note: string | undefined
}

const mostFiles = 5
/** Bytes. */
const longestText = 100_000
const longestImage = 5_000_000
const textTypes = new Set(['text/plain', 'text/markdown', 'application/json'])
/** Each image type with the base64 form of the bytes that its files begin with. */
const imageTypes: Readonly<Record<string, string>> = {
  'image/png': 'iVBORw0KGgo',
  'image/jpeg': '/9j/',
  'image/gif': 'R0lGOD',
  'image/webp': 'UklGR',
}

/** @param takesImages whether the model that answers can look at images */
export function readAttachments(attachments: readonly Attachment[], takesImages: boolean): ReadAttachments {
  const read: ReadAttachments = { context: [], images: [], note: undefined }
  const unread = attachments.filter((attachment, n) => {
    const data = n < mostFiles ? parseDataUrl(attachment) : undefined
    if (!data) return true
    const start = imageTypes[data.mediaType]
    if (start !== undefined && takesImages && data.base64.startsWith(start) && sizeOf(data) <= longestImage) {
      read.images.push(data)
      return false
    }
    const value = textTypes.has(data.mediaType) && sizeOf(data) <= longestText ? decode(data) : undefined
    if (value !== undefined) read.context.push({ type: 'code', value, path: attachment.name?.slice(0, 200) })
    return value === undefined
  })
  if (unread.length > 0) read.note = noteOf(unread)
  return read
}

/** Adds images to the question, which is the last message. */
export function withImages(messages: ModelMessage[], images: readonly Image[]): ModelMessage[] {
  const question = messages.at(-1)
  if (images.length === 0 || question?.role !== 'user' || typeof question.content !== 'string')
    return messages
  const files = images.map(({ mediaType, base64: data }) => ({ type: 'file' as const, mediaType, data }))
  return [
    ...messages.slice(0, -1),
    { role: 'user', content: [{ type: 'text', text: question.content }, ...files] },
  ]
}

function parseDataUrl({ url, mediaType }: Attachment): Image | undefined {
  const comma = url.indexOf(',')
  if (!url.startsWith('data:') || comma < 0 || comma > 200) return undefined
  const [given = '', ...parameters] = url.slice('data:'.length, comma).toLowerCase().split(';')
  if (!parameters.includes('base64')) return undefined
  const type = given === '' ? mediaType?.toLowerCase() : given
  return { mediaType: type ?? '', base64: url.slice(comma + 1) }
}

function sizeOf({ base64 }: Image): number {
  return Math.floor((base64.length * 3) / 4)
}

function decode({ base64 }: Image): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'))
  } catch {
    return undefined
  }
}

function noteOf(unread: readonly Attachment[]): string {
  const [first, ...others] = unread.map(({ name }) => plainName(name ?? ''))
  if (others.length > 0)
    return `The ${unread.length} attached files were not read; describe in words what matters in them.`
  const name = first === '' ? '' : ` “${first}”`
  return `The attached file${name} was not read; describe in words what matters in it.`
}

// Letters and what else stands in usual names, nothing that Markdown reads.
function plainName(name: string): string {
  return name
    .replaceAll(/[^\p{L}\p{N} .-]/gu, '')
    .slice(0, 60)
    .trim()
}
