import type { Reason, Source } from './talk/exchange.ts'

/** What a page can follow with `on`. */
interface WidgetEvents {
  opened: Record<string, never>
  closed: Record<string, never>
  asked: { question: string }
  answered: {
    question: string
    text: string
    outcome: string | undefined
    threadId: string | undefined
    sources: readonly Source[]
  }
  feedback: { rating: 'up' | 'down' | null; reason: Reason | undefined; threadId: string | undefined }
}

type EventName = keyof WidgetEvents
type Listener<Name extends EventName> = (detail: WidgetEvents[Name]) => void

export interface Emitter {
  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void
  emit<Name extends EventName>(name: Name, detail: WidgetEvents[Name]): void
}

/** @param target gets the same as DOM events, whose names begin with `docwright:` */
export function createEmitter(target: EventTarget): Emitter {
  const listeners = new Map<EventName, Set<(detail: never) => void>>()
  return {
    on(name, listener) {
      const those = listeners.get(name) ?? new Set()
      listeners.set(name, those.add(listener))
      return () => void those.delete(listener)
    },
    emit(name, detail) {
      for (const listener of listeners.get(name) ?? []) {
        try {
          ;(listener as (given: typeof detail) => void)(detail)
        } catch (error) {
          // A fault of the page's must not stop the answer.
          reportError(error)
        }
      }
      target.dispatchEvent(new CustomEvent(`docwright:${name}`, { detail, bubbles: true }))
    },
  }
}
