import { readFile } from 'node:fs/promises'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'

const script = await readFile(new URL('drafts.js', import.meta.url), 'utf8')

/** A page with one field, in a tab with this storage. */
function openPage(kept: Map<string, string>) {
  const field = { id: 'prompt', value: '', defaultValue: '' }
  const leaving: (() => void)[] = []
  runInNewContext(script, {
    URLSearchParams,
    location: { pathname: '/job', search: '' },
    document: { querySelectorAll: () => [field] },
    addEventListener: (_: string, leave: () => void) => leaving.push(leave),
    sessionStorage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    },
  })
  return { field, leave: () => leaving.forEach((each) => each()) }
}

it('keeps what was typed and not sent until the page is there again', () => {
  const kept = new Map<string, string>()
  const page = openPage(kept)
  page.field.value = 'Half a prompt'
  page.leave()
  expect(openPage(kept).field.value).toBe('Half a prompt')
  expect(kept.size).toBe(0)
})

it('forgets what was sent after the browser had brought the same page back', () => {
  const kept = new Map<string, string>()
  const page = openPage(kept)
  page.field.value = 'A prompt'
  page.leave()
  // The form is reset when it is taken.
  page.field.value = ''
  page.leave()
  expect(openPage(kept).field.value).toBe('')
})
