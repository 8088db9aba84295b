import { useChat } from '@ai-sdk/react'
import type { UseChatHelpers } from '@ai-sdk/react'
import { Window } from 'happy-dom'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

export type ChatOptions = NonNullable<Parameters<typeof useChat>[0]>

/** `useChat` of AI SDK 4 as a component has it: read it anew each time, it changes with every rendering. */
export function mountChat(options: ChatOptions): { chat(): UseChatHelpers; unmount(): void } {
  const window = new Window()
  Object.assign(globalThis, { window, document: window.document })
  const root = createRoot(window.document.createElement('div'))
  let helpers: UseChatHelpers | undefined
  const Chat = (): null => {
    helpers = useChat(options)
    return null
  }
  root.render(createElement(Chat))
  return {
    chat() {
      if (!helpers) throw new Error('The chat is not rendered yet')
      return helpers
    },
    unmount: () => root.unmount(),
  }
}
