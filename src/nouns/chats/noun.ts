import { doorOf } from '../../verbs/http.ts'
import { chatPages } from './page.ts'
import { receiveChatEventEndpoint } from './receive-event.ts'
import { chatDeeds, type ChatPorts } from './run.ts'

/** Workspaces of chat platforms, in which people ask the assistant and start jobs. */
export const chats = {
  endpoints: [doorOf(chatDeeds), (ports: ChatPorts) => [receiveChatEventEndpoint(ports)]],
  pages: [chatPages],
} as const
