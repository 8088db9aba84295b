import { z } from 'zod'
import { withoutControls } from '../lib/text/portable-patterns.ts'
import '../lib/text/rule-words.ts'

const line = (most: number, rule: string) => z.string(rule).max(most, rule).regex(withoutControls, rule)

export const mostInstructions = 4000
const instructionsRule = 'must be text of at most 4,000 characters'
const starterRule =
  'must be a list of at most 50 questions of up to 300 characters each, such as "How do I install it?" or, for some pages, "/guides How do I …?"'
const refuseRule = 'must be a list of at most 50 topics of 1 to 200 characters each'
const contactRule =
  'must be an email address or an https address, with a name before it if you like: "Support https://example.com/help"'

/** What the people of a project ask of its assistant. */
export const guidance = z
  .strictObject({
    /** Markdown for models, below the assistant's own rules. */
    instructions: z.string(instructionsRule).max(mostInstructions, instructionsRule),
    /** Starter questions; see `readStarter`. */
    starters: z
      .array(
        line(300, starterRule)
          .refine((text) => readStarter(text).question !== '', starterRule)
          .meta({ example: 'How do I install it?' }),
        starterRule,
      )
      .max(50, starterRule),
    /** Topics that the assistant does not speak of. */
    refuse: z
      .array(
        line(200, refuseRule)
          .refine((text) => text.trim() !== '', refuseRule)
          .meta({ example: 'Legal advice' }),
        refuseRule,
      )
      .max(50, refuseRule),
    /** Who helps where the documentation does not; see `readContact`. */
    contact: line(400, contactRule)
      .refine((text) => readContact(text) !== undefined, contactRule)
      .meta({ example: 'Support https://example.com/help' }),
  })
  .partial()

export type Guidance = z.infer<typeof guidance>

/** The question of a line, and the pages that it is for: those at and below a path. */
export function readStarter(text: string): { path: string | undefined; question: string } {
  const said = text.trim()
  if (!said.startsWith('/')) return { path: undefined, question: said }
  const [path = ''] = said.split(/\s/, 1)
  return { path: path.replace(/(?<!^)\/$/, ''), question: said.slice(path.length).trim() }
}

/** Somebody to turn to. */
export interface Contact {
  name: string
  /** `https:` or `mailto:`. */
  url: string
}

const mailAddress = /^[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}$/i

/** The contact of a line that ends with its address; undefined for any other kind of address. */
export function readContact(text: string): Contact | undefined {
  const words = text.trim().split(/\s+/)
  const address = words.pop() ?? ''
  const url = contactUrl(address)
  if (url === undefined) return undefined
  const { protocol, pathname, host } = new URL(url)
  const plain = protocol === 'mailto:' ? pathname : `${host}${pathname === '/' ? '' : pathname}`
  return { name: words.join(' ') || plain, url }
}

function contactUrl(address: string): string | undefined {
  if (mailAddress.test(address)) return `mailto:${address}`
  const url = URL.parse(address)
  if (url?.protocol === 'mailto:') return mailAddress.test(url.pathname) ? url.href : undefined
  // Only an address that names its host, and no credential.
  const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === ''
  return isPlain && /^https:\/\//i.test(address) ? url.href : undefined
}

/** The file by which a repository shapes its assistant. */
export const guidanceFile = '.docwright/assistant.md'
