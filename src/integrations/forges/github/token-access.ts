import { checkToken } from '../http/token-header.ts'
import type { GitHubAccess } from './github-api.ts'

/** A personal access token, best a fine-grained one. It is good for as long as it is. */
export function createTokenAccess(token: string): GitHubAccess {
  return {
    token: async () => checkToken(token),
    permissions: async () => undefined,
    appLogin: async () => undefined,
  }
}
