import type { ChatApis } from '../../src/lib/chat-apis.ts'

/** Platforms that nobody can reach, but for those that a test has. */
export function chatApisWith(reachable: Partial<ChatApis> = {}): ChatApis {
  const nowhere = 'http://chat.invalid/'
  return {
    slack: nowhere,
    discord: nowhere,
    teams: { api: nowhere, login: nowhere, keys: nowhere },
    google: { api: nowhere, login: nowhere, keys: nowhere },
    ...reachable,
  }
}
