import { isRecord, type Frame } from './frames.ts'

export interface Source {
  url: string
  title: string
  /** Heading of the cited section; empty when the whole page is meant. */
  heading: string
}

/** Text of the page that a question is about. */
export interface Selection {
  type: 'textSelection' | 'code'
  value: string
  path: string
}

export type Reason = 'incorrect' | 'incomplete' | 'outdated' | 'irrelevant' | 'unclear' | 'other'

/** Why there is no whole answer. */
export interface Problem {
  kind: 'offline' | 'limit' | 'key' | 'interrupted' | 'failed'
  /** What the server said. */
  message: string
  /** When it may be asked again, in milliseconds since 1970. */
  until: number | undefined
}

/** A question with what became of it. */
export interface Exchange {
  id: string
  question: string
  selection?: Selection | undefined
  /** Names only: the files themselves are not kept. */
  files: string[]
  state: 'waiting' | 'writing' | 'done' | 'stopped' | 'failed'
  /** What is looked up now. */
  activity?: { tool: 'search' | 'read_page'; what: string } | undefined
  /** Why there is no text yet: how many have their turn before this question, or the model reads. */
  status?: { state: 'waiting'; ahead: number } | { state: 'reading' } | undefined
  answerId?: string | undefined
  text: string
  sources: Source[]
  suggestions: string[]
  outcome?: string | undefined
  contact?: { name: string; url: string } | undefined
  rating?: 'up' | 'down' | undefined
  problem?: Problem | undefined
}

export function nothingYet(): Pick<Exchange, 'state' | 'text' | 'sources' | 'suggestions'> {
  return { state: 'waiting', text: '', sources: [], suggestions: [] }
}

/** Forgets what is there of an answer: every stream begins with its beginning. */
export function begin(exchange: Exchange): void {
  Object.assign(exchange, nothingYet(), {
    activity: undefined,
    status: undefined,
    answerId: undefined,
    outcome: undefined,
    contact: undefined,
    rating: undefined,
    problem: undefined,
  })
}

export function fail(exchange: Exchange, problem: Problem): void {
  exchange.state = 'failed'
  exchange.problem = problem
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Takes over what a frame says. */
export function applyFrame(exchange: Exchange, frame: Frame): void {
  const textOf = (name: string): string => text(frame[name])
  switch (frame.type) {
    case 'start':
      exchange.answerId = textOf('messageId') || undefined
      break
    case 'tool-input-available': {
      const input = isRecord(frame['input']) ? frame['input'] : {}
      const tool = frame['toolName'] === 'read_page' ? 'read_page' : 'search'
      exchange.status = undefined
      exchange.activity = { tool, what: text(input['query']) || text(input['path']) }
      break
    }
    case 'source-url': {
      const url = textOf('url')
      const [title = url, heading = ''] = textOf('title').split(' › ')
      if (!exchange.sources.some((source) => source.url === url))
        exchange.sources.push({ url, title, heading })
      break
    }
    case 'text-start':
      if (exchange.text !== '') exchange.text += '\n\n'
      break
    case 'text-delta':
      exchange.state = 'writing'
      exchange.activity = undefined
      exchange.status = undefined
      exchange.text += textOf('delta')
      break
    case 'data-status': {
      const status = isRecord(frame['data']) ? frame['data'] : {}
      const { state, ahead } = status
      if (state === 'reading') exchange.status = { state }
      if (state === 'waiting' && typeof ahead === 'number') exchange.status = { state, ahead }
      break
    }
    case 'data-suggestions':
      if (Array.isArray(frame['data'])) exchange.suggestions = frame['data'].map(String).slice(0, 3)
      break
    case 'finish': {
      const metadata = isRecord(frame['messageMetadata']) ? frame['messageMetadata'] : {}
      const contact = isRecord(metadata['contact']) ? metadata['contact'] : undefined
      exchange.state = 'done'
      exchange.outcome = typeof metadata['outcome'] === 'string' ? metadata['outcome'] : undefined
      if (contact) exchange.contact = { name: text(contact['name']), url: text(contact['url']) }
      break
    }
    case 'error':
      fail(exchange, { kind: 'failed', message: textOf('errorText'), until: undefined })
      break
  }
}

/** Nobody can guess it. `crypto.randomUUID` is missing on pages without https. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
