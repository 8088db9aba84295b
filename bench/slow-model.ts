/**
 * A hosted model's API on a local port, with answers as slow as real ones: each piece of `words` comes `interval`
 * milliseconds after the previous one, the first one `first` milliseconds after the question. streams.ts runs it as
 * a separate process, so that its work is not counted for the servers.
 */
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const [first = 300, interval = 100, pieces = 120] = process.argv.slice(2).map(Number)
const shared = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-mock' }
const line = (choice: object, more: object = {}): string =>
  `data: ${JSON.stringify({ ...shared, choices: [{ index: 0, finish_reason: null, ...choice }], ...more })}\n\n`
const opening = line({ delta: { role: 'assistant', content: '' } })
// As tokens come: the space before the word. It carries the time at which it was sent.
const piece = (): string =>
  line({ delta: { content: ` at${(performance.timeOrigin + performance.now()).toFixed(2)}` } })
const usage = { prompt_tokens: 1000, completion_tokens: pieces * 3, total_tokens: 1000 + pieces * 3 }
const end = `${line({ delta: {}, finish_reason: 'stop' })}data: ${JSON.stringify({ ...shared, choices: [], usage })}\n\ndata: [DONE]\n\n`
/** A source, if the prompt has one: an answer that cites nothing would be asked for sources in another call. */
const source = (prompt: string): string =>
  line({ delta: { content: ` [source](${/https?:\/\/[^\s"'\\<>()]+/.exec(prompt)?.[0] ?? '#'})` } })

const server = createServer((request, response) => {
  let body = ''
  request.on('data', (piece: Buffer) => (body += piece.toString('latin1')))
  request.on('end', () => {
    if (body.includes('"stream":true')) return answer(response, source(body))
    // A short call besides the answer, such as one that writes what to search for.
    const message = { role: 'assistant', content: 'follow up on a job' }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ ...shared, choices: [{ index: 0, message, finish_reason: 'stop' }], usage }),
    )
  })
})

function answer(response: ServerResponse, lastPiece: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(opening)
  let said = 0
  let timer: NodeJS.Timeout | undefined
  const say = (): void => {
    response.write(piece())
    said += 1
    if (said < pieces) return
    clearInterval(timer)
    response.end(lastPiece + end)
  }
  timer = setTimeout(() => {
    say()
    timer = setInterval(say, interval)
  }, first)
  response.on('close', () => clearInterval(timer))
}

server.listen(0, '127.0.0.1', () => {
  console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
})
