import type * as sdk500 from 'ai500'

/** What tests use of a client; the oldest one's types serve for all of them. */
export type Sdk = Pick<typeof sdk500, 'AbstractChat' | 'DefaultChatTransport' | 'readUIMessageStream'>

/** Released clients, unmodified: the oldest, those that each loosening came after, and the newest of each major version. */
export const sdkVersions: [string, () => Promise<Sdk>][] = [
  ['5.0.0', () => import('ai500')],
  ['5.0.91', load(() => import('ai5091'))],
  ['5.0.216', load(() => import('ai5216'))],
  ['newest 5', load(() => import('ai5'))],
  ['6.0.230', load(() => import('ai6230'))],
  ['newest 6', load(() => import('ai6'))],
  ['7.0.31', load(() => import('ai7031'))],
  ['newest 7', load(() => import('ai'))],
]

function load(sdk: () => Promise<unknown>): () => Promise<Sdk> {
  // Later versions only add to these three; their types differ in parts that no test touches.
  return async () => (await sdk()) as Sdk
}
