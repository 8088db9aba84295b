import { newId, type Exchange } from './conversation.ts'

/** The conversation of a tab. */
interface Remembered {
  chatId: string
  threadId: string | undefined
  exchanges: Exchange[]
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

/** Keeps the conversation in the storage of the tab, which ends with it. Without one, it ends with the page. */
export function createHistory(name: string): History {
  const storage = storageOf()
  let waiting: Remembered | undefined
  const save = (): void => {
    if (!waiting) return
    const conversation = waiting
    waiting = undefined
    let { exchanges } = conversation
    let text = JSON.stringify({ ...conversation, exchanges })
    while (text.length > longest && exchanges.length > 1) {
      exchanges = exchanges.slice(1)
      text = JSON.stringify({ ...conversation, exchanges })
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
        const value = JSON.parse(storage?.getItem(name) ?? 'null') as Remembered | null
        if (value && typeof value.chatId === 'string' && Array.isArray(value.exchanges)) return value
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

/** Pages may be refused any storage. */
function storageOf(): Storage | undefined {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}
