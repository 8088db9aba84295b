import type { ChatState, ChatStatus, DefaultChatTransport, UIMessage } from 'ai500'
import type { Sdk } from './ai-sdk-versions.ts'

export type TransportOptions = NonNullable<ConstructorParameters<typeof DefaultChatTransport<UIMessage>>[0]>

/** A chat of a released client, as its hooks have it, with the transport that `useChat` uses. */
export function openChat(sdk: Sdk, options: TransportOptions) {
  class Chat extends sdk.AbstractChat<UIMessage> {}
  return new Chat({ transport: new sdk.DefaultChatTransport(options), state: new State() })
}

class State implements ChatState<UIMessage> {
  status: ChatStatus = 'ready'
  error: Error | undefined
  messages: UIMessage[] = []
  pushMessage = (message: UIMessage): void => {
    this.messages = [...this.messages, message]
  }
  popMessage = (): void => {
    this.messages = this.messages.slice(0, -1)
  }
  replaceMessage = (index: number, message: UIMessage): void => {
    this.messages = this.messages.with(index, structuredClone(message))
  }
  snapshot = <T>(thing: T): T => structuredClone(thing)
}

export function textIn(message: UIMessage | undefined): string {
  return (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')
}
