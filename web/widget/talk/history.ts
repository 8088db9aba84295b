import { newId, type Exchange } from './exchange.ts'
import { isRecord } from './frames.ts'

/** The conversation of a tab. */
interface Remembered {
  chatId: string
  threadId: string | undefined
  exchanges: Exchange[]
  /** Of the session in which it is held. */
  mark?: string | undefined
}

export interface History {
  read(): Remembered
  write(conversation: Remembered): void
  /** Whether the panel was open when the page was left. */
  isOpen(): boolean
  setOpen(open: boolean): void
}

/** Characters; a conversation that is longer loses its oldest questions. */
const longest = 300_000
/** Milliseconds between writes while an answer arrives. */
const pause = 400

/**
 * Keeps the conversation in the storage of the tab, which ends with it. Without one, it ends with the page.
 * @param session token of the session in which it is held. A later session in the same tab may be of another person, who
 * may read other pages, and does not get it
 */
export function createHistory(name: string, session?: string): History {
  const storage = storageOf()
  const mark = session === undefined ? undefined : markOf(session)
  let waiting: Remembered | undefined
  const save = (): void => {
    if (!waiting) return
    const conversation = waiting
    waiting = undefined
    let { exchanges } = conversation
    let text = JSON.stringify({ ...conversation, exchanges, mark })
    while (text.length > longest && exchanges.length > 1) {
      exchanges = exchanges.slice(1)
      text = JSON.stringify({ ...conversation, exchanges, mark })
    }
    try {
      storage?.setItem(name, text)
    } catch {
      // It is full: the page goes on without.
    }
  }
  addEventListener('pagehide', save)
  return {
    read() {
      try {
        const value: unknown = JSON.parse(storage?.getItem(name) ?? 'null')
        if (isRemembered(value)) {
          if (value.mark === undefined || value.mark === mark) return value
          for (const key of [name, `${name}:open`]) storage?.removeItem(key)
        }
      } catch {
        // Something else wrote there.
      }
      return { chatId: newId(), threadId: undefined, exchanges: [] }
    },
    write(conversation) {
      if (!waiting) setTimeout(save, pause)
      waiting = conversation
    },
    isOpen: () => storage?.getItem(`${name}:open`) === 'yes',
    setOpen(open) {
      try {
        storage?.setItem(`${name}:open`, open ? 'yes' : 'no')
      } catch {
        // As above.
      }
    },
  }
}

/** Tells sessions apart. It is not the token itself, because other programs of the host may read the storage. */
function markOf(session: string): string {
  let mark = 0x81_1c_9d_c5
  for (const sign of session) mark = Math.imul(mark ^ (sign.codePointAt(0) ?? 0), 0x01_00_01_93)
  return (mark >>> 0).toString(16)
}

/** Whatever runs on the page may have written there, and so may an earlier version of the widget. */
function isRemembered(value: unknown): value is Remembered {
  if (!isRecord(value) || typeof value['chatId'] !== 'string' || !Array.isArray(value['exchanges']))
    return false
  return value['exchanges'].every(
    (one) =>
      isRecord(one) &&
      ['id', 'question', 'state', 'text'].every((name) => typeof one[name] === 'string') &&
      ['sources', 'suggestions', 'files'].every((name) => Array.isArray(one[name])) &&
      (one['sources'] as unknown[]).every(isRecord),
  )
}

/** Pages may be refused any storage. */
function storageOf(): Storage | undefined {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}
