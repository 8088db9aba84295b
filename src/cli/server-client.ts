import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { AppError } from '../lib/errors.ts'
import { isRecord } from '../lib/is-record.ts'
import { ownCommand } from '../lib/own-command.ts'
import { readAnswer, type Answer } from './read-answer.ts'

/** A client of the running server, for commands on the same machine. They never open the store themselves. */
export interface ServerClient {
  url(): Promise<string>
  /** @throws AppError with the server's error message */
  request(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response>
  /** The answer to a request, as far as the schema knows it. @throws AppError as `request`, and for an answer of another shape */
  read<Schema extends z.ZodType>(
    schema: Schema,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer<Schema>>
}

/** @param dataFolder holds the server's address and the operator token, readable only by its owner */
export async function connect(dataFolder: string): Promise<ServerClient> {
  const notRunning = (cause?: unknown): AppError =>
    new AppError(
      'unavailable',
      `No server is running for ${dataFolder}. Start it with "${ownCommand} serve", or set --data to its data folder`,
      { cause },
    )
  const address = await readFile(join(dataFolder, 'server.json'), 'utf8').catch(() => undefined)
  const token = await readFile(join(dataFolder, 'operator-token'), 'utf8').catch(() => undefined)
  if (address === undefined || token === undefined) throw notRunning()
  const url = urlIn(address)
  if (url === undefined) throw notRunning()
  const request: ServerClient['request'] = async (method, path, body, signal) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token.trim()}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    }).catch((cause: unknown) => {
      throw notRunning(cause)
    })
    if (response.ok) return response
    const text = await response.text()
    throw new AppError(
      response.status >= 500 ? 'unavailable' : 'invalid',
      errorIn(text) ?? `The server answered ${response.status}`,
    )
  }
  return {
    url: () => Promise.resolve(url),
    request,
    async read(schema, method, path, body) {
      const response = await request(method, path, body)
      const answer: unknown = await response.json().catch(() => undefined)
      return readAnswer(schema, answer, `${method} ${path.replace(/\?.*$/s, '')}`)
    },
  }
}

// A server that was killed while it wrote the file may have left half of it.
function urlIn(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return isRecord(body) && typeof body['url'] === 'string' ? body['url'] : undefined
  } catch {
    return undefined
  }
}

function errorIn(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return isRecord(body) && 'error' in body ? String(body['error']) : undefined
  } catch {
    return undefined
  }
}
