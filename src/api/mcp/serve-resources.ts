import { ProtocolError, ResourceNotFoundError, type McpServer } from '@modelcontextprotocol/server'
import { cursorRule } from '../../lib/list-query.ts'
import type { AppError } from '../../lib/errors.ts'
import { readWholeNumber } from '../../lib/whole-number.ts'

interface DescribedResource {
  uri: string
  name: string
  title: string
  description?: string
  mimeType: string
}

/** Texts that a client may list and read. */
export interface ServedResources {
  template: { name: string; title: string; uriTemplate: string; mimeType: string }
  /** Some of them from `start` on, and where the next ones begin. */
  list(start: number): Promise<{ resources: DescribedResource[]; next: number | undefined }>
  /** @throws AppError `not_found` */
  read(uri: string): Promise<DescribedResource & { text: string }>
}

const invalidParams = -32_602
const internalError = -32_603

/** Answers what clients ask about resources. The class of the library has no lists that come in parts. */
export function serveResources(
  { server }: McpServer,
  { template, list, read }: ServedResources,
  report: (thrown: unknown) => AppError,
): void {
  server.registerCapabilities({ resources: { listChanged: false, subscribe: false } })
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [template] }))
  server.setRequestHandler('resources/list', async ({ params }) => {
    const start = readWholeNumber(params?.cursor ?? '0')
    if (start === undefined) throw new ProtocolError(invalidParams, `\`cursor\` ${cursorRule}`)
    try {
      const { resources, next } = await list(start)
      return { resources, ...(next !== undefined && { nextCursor: String(next) }) }
    } catch (thrown) {
      throw refusal(report(thrown))
    }
  })
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    try {
      const { text, mimeType } = await read(uri)
      return { contents: [{ uri, mimeType, text }] }
    } catch (thrown) {
      const error = report(thrown)
      throw error.code === 'not_found' ? new ResourceNotFoundError(uri) : refusal(error)
    }
  })
}

function refusal({ code, message }: AppError): ProtocolError {
  return new ProtocolError(code === 'invalid' ? invalidParams : internalError, message)
}
