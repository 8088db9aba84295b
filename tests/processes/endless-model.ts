import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface EndlessModel extends AsyncDisposable {
  /** What a server needs in its environment to let it answer readers. */
  environment: Record<string, string>
}

/** A model that goes on writing a word every tenth of a second until nobody listens. */
export async function startEndlessModel(): Promise<EndlessModel> {
  const chunk = (content: string): string =>
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`
  const model = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const writing = setInterval(() => response.write(chunk('word ')), 100)
    response.once('close', () => clearInterval(writing))
  }).listen(0, '127.0.0.1')
  await once(model, 'listening')
  const { port } = model.address() as AddressInfo
  return {
    environment: {
      OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1`,
      DOCWRIGHT_ASSISTANT_MODEL: 'compatible:m',
    },
    async [Symbol.asyncDispose]() {
      const closed = once(model, 'close')
      model.close()
      model.closeAllConnections()
      await closed
    },
  }
}
