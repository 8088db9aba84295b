import { useChat } from '@ai-sdk/react'
import type { UseChatHelpers } from '@ai-sdk/react'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { vi } from 'vitest'

export type ChatOptions = NonNullable<Parameters<typeof useChat>[0]>

/** `useChat` of AI SDK 4 as a component has it: read it anew each time, it changes with every rendering. */
export function mountChat(options: ChatOptions): { chat(): UseChatHelpers; unmount(): void } {
  const root = createRoot(emptyElement())
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

/** As much of a page as React asks of one in which it renders nothing; what the hook itself needs, it has from Node. Ends with `vi.unstubAllGlobals`. */
function emptyElement(): object {
  const window = Object.assign(new EventTarget(), { HTMLIFrameElement: EventTarget })
  const document = Object.assign(new EventTarget(), { nodeType: 9, defaultView: window, activeElement: null })
  vi.stubGlobal('window', window)
  vi.stubGlobal('document', document)
  return Object.assign(new EventTarget(), { nodeType: 1, tagName: 'DIV', ownerDocument: document })
}
