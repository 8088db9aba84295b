import { Readable } from 'node:stream'
import { z } from '@hono/zod-openapi'
import type { Access } from '../access.ts'
import { operations } from '../description/operation.ts'
import type { Endpoint } from '../endpoint.ts'

interface Ports {
  access: Access
  /** Makes a backup, and yields it while it is made. */
  backup(options: { withSecretKey: boolean }): AsyncIterable<Uint8Array>
}

const backupBody = z
  .object({
    secretKey: z
      .boolean()
      .default(false)
      .describe(
        'Include the key that decrypts tokens and secrets of webhooks. Anyone with the file can then use them.',
      ),
  })
  .openapi('Backup', { description: 'What a backup is to hold.' })

/** A backup of everything that cannot be built again. */
export function backupEndpoint({ access, backup }: Ports): Endpoint {
  return operations(access, 'Server').onServer('createBackup', 'post /admin/backup', 'Create a backup', {
    description:
      'Streams it while it is made, of either engine. It is complete only with its last line, which contains a checksum: `docwright restore --check FILE` looks at it.',
    body: backupBody,
    answer: [200, 'A file for `docwright restore`', z.string(), 'application/gzip'],
    handle: ({ body }) => {
      const stream = Readable.toWeb(Readable.from(backup({ withSecretKey: body.secretKey })))
      return Promise.resolve(
        new Response(stream as ReadableStream, {
          headers: { 'content-type': 'application/gzip', 'cache-control': 'no-store' },
        }),
      )
    },
  })
}
