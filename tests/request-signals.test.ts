import { glob, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const api = resolve(import.meta.dirname, '../src/api')

/** The only file that may touch the signal of a request. */
const allowed = 'exchange.ts'
/** What of a request may be handed on: parts that do not bring the signal along. */
const parts = /^\??\.(?:body|bodyUsed|headers)\b/

it('listens to the end of an exchange, never to the signal of a request', async () => {
  const wrong: string[] = []
  for await (const file of glob('**/*.ts', { cwd: api })) {
    if (file.endsWith('.test.ts') || file === allowed) continue
    const text = await readFile(join(api, file), 'utf8')
    for (const match of text.matchAll(/\breq(?:uest)?\.raw\b/g)) {
      const rest = text.slice(match.index + match[0].length)
      const line = text.slice(text.lastIndexOf('\n', match.index) + 1, match.index)
      const named = /const \{([^}]*)\} = context\.$/.exec(line)?.[1]
      if (named === undefined ? !parts.test(rest) : /signal/.test(named))
        wrong.push(`${file}: ${line.trim()}`)
    }
  }
  expect(wrong).toEqual([])
})
