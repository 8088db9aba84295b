import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openEmbeddedStore } from '../src/store/database.ts'
import { startModelMock } from './model-mock.ts'
import { startServer } from './server.ts'

/** Words that only the reader and the answer use, so that a database can be searched for them. */
const [reader, word] = ['reader-4711', 'pangolin']
const question = `How do I start a ${word} with Docwright?`
const marked = [reader, word, 'okapi']

it('goes from the question to the answer, its feedback, the transcript, the export and its deletion', async () => {
  const prompts: string[] = []
  let link = ''
  await using model = await startModelMock(async ({ request }) => {
    const prompt = JSON.stringify(request.messages)
    prompts.push(prompt)
    if (prompt.includes('You write search queries')) return 'install and start the server\ncreate a key'
    return `Start the ${word} [as told](${link}).\n<reply-outcome>partial: okapi</reply-outcome>`
  })
  const server = await startServer({ environment: model.environment, isEmbedded: true })
  const { assistantKey, adminKey, domain, projectId } = server.welcome
  link = `${server.url}/docs/${domain}/quickstart`
  const insights = `/v2/insights/${projectId}`
  const read = async (path: string) => (await server.request('GET', path, { key: adminKey })).text()
  try {
    // A query of the model and the question itself are searched, and the model gets what they find in tags.
    const asked = await server.request('POST', `/discovery/v2/assistant/${domain}/message`, {
      key: assistantKey,
      body: {
        fp: reader,
        id: 'chat-1',
        messages: [{ id: 'q1', role: 'user', parts: [{ type: 'text', text: question }] }],
      },
    })
    const threadId = asked.headers.get('x-thread-id') ?? ''
    const stream = await asked.text()
    expect(prompts).toHaveLength(2)
    expect(prompts[0]).toContain("Titles of the documentation's pages")
    expect(prompts[1]).toMatch(/<result n=\\"1\\" url=\\"http[^"]+\\" page=\\"[^"]+\\"/)
    expect(prompts[1]).toContain('manage-keys#create-a-key')
    expect(stream).toContain(`[as told](${link})`)
    expect(stream).toContain('"type":"source-url"')
    expect(stream).not.toContain('reply-outcome')
    expect(stream).toContain('"outcome":"partial"')

    const rated = await server.request('POST', `/discovery/v2/assistant/${domain}/feedback`, {
      key: assistantKey,
      body: { threadId, rating: 'down', reason: 'incomplete', note: `no ${word} starts` },
    })
    expect(rated.status).toBe(200)
    const searched = await server.request('POST', `/discovery/v1/search/${domain}`, {
      key: assistantKey,
      body: { query: `${word} keys`, fp: reader },
    })
    expect(searched.status).toBe(200)

    const thread: unknown = JSON.parse(await read(`${insights}/threads/${threadId}`))
    expect(thread).toMatchObject({
      id: threadId,
      exchanges: [
        {
          fp: reader,
          question,
          questionId: 'q1',
          answer: `Start the ${word} [as told](${link}).`,
          outcome: 'partial',
          missing: ['okapi'],
          model: 'openai-chat:gpt-mock',
          sources: [{ url: link, words: [`Start the ${word} as told.`] }],
          feedback: [{ rating: 'down', reason: 'incomplete', note: `no ${word} starts`, fp: reader }],
        },
      ],
    })
    const [exported = ''] = (await read(`${insights}/export`)).split('\n')
    expect(thread).toMatchObject({ exchanges: [JSON.parse(exported)] })
    const table = await read(`${insights}/export?format=csv`)
    for (const cell of [question, 'partial', 'okapi', 'incomplete', link]) expect(table).toContain(cell)

    const removed = await server.request('DELETE', `${insights}/threads?fp=${reader}`, { key: adminKey })
    expect(await removed.json()).toEqual({ deleted: 3 })
    expect((await server.request('GET', `${insights}/threads/${threadId}`, { key: adminKey })).status).toBe(
      404,
    )
    expect(await read(`${insights}/export`)).toBe('')
  } finally {
    await server.stop()
  }
  expect(await rowsWith(server.dataFolder, marked)).toEqual([])
})

/** Tables of a server that has stopped, with a row that holds one of the words. */
async function rowsWith(dataFolder: string, words: readonly string[]): Promise<string[]> {
  await using store = await openEmbeddedStore(join(dataFolder, 'store', 'pglite'))
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
  `.execute(store.db)
  expect(tables.length).toBeGreaterThan(30)
  const found: string[] = []
  for (const { name } of tables)
    for (const word of words) {
      const { rows } = await sql`
        select 1 from ${sql.raw(name)} as one where strpos(one::text, ${word}) > 0 limit 1
      `.execute(store.db)
      if (rows.length > 0) found.push(`${word} in ${name}`)
    }
  return found
}
