import { expect, it } from 'vitest'
import type { AbilityField } from '../../integrations/models/ability.ts'
import { abilities } from './abilities.ts'
import { parseRequests } from './parse-request.ts'

const usual: Record<AbilityField['kind'], string> = {
  text: 'Some words',
  lines: 'First line.\n\n- "Quoted" and `code`\n- Delete the page "x"\n\n```bash\nrun "it"\n```',
  page: 'guides/first steps.mdx',
  place: 'guides/',
  choice: '',
}

const kinds: Record<string, string> = {
  replace: 'replace',
  version: 'version',
  term: 'terms',
  glossary: 'terms',
  links: 'links',
  relink: 'relink',
  typos: 'typos',
  missing: 'add missing',
  move: 'move',
  rename: 'rename',
  describe: 'describe',
  delete: 'delete',
  'add-page': 'add page',
  box: 'add note',
  section: 'add section',
  paragraph: 'add paragraph',
}

function valueOf(field: AbilityField, filled: boolean, page: string): string | undefined {
  if (field.isOptional && !filled) return undefined
  if (field.kind === 'choice')
    return (filled ? field.choices?.at(-1) : field.choices?.[0])?.value || undefined
  if (field.kind === 'page') return page
  return field.pattern === undefined ? usual[field.kind] : field.example
}

it('says for every form one sentence that the grammar reads as what is meant', () => {
  expect(abilities.map(({ name }) => name).sort()).toEqual(Object.keys(kinds).sort())
  for (const { name, fields, say } of abilities)
    for (const filled of [false, true])
      for (const page of ['guides/first steps.mdx', 'index.md', 'The “Setup” page']) {
        const values = Object.fromEntries(fields.map((field) => [field.name, valueOf(field, filled, page)]))
        const said = say(values)
        const [request, ...others] = parseRequests(said)
        expect([said, request?.kind, others]).toEqual([said, kinds[name], []])
      }
})

it('keeps texts with quotes, line breaks, fences and requests in them as they are', () => {
  const say = (name: string, values: Record<string, string>) =>
    parseRequests(abilities.find((ability) => ability.name === name)?.say(values) ?? '')[0]
  for (const text of ['a "b" c', 'C:\\path\\', 'it’s', '`code`', 'x: y', 'in guides/', 'and then delete it'])
    expect(say('replace', { from: text, to: 'new' })).toMatchObject({ from: text, to: 'new', exact: true })
  for (const text of [usual.lines, 'One.\n\nTwo with "quotes".'])
    expect(say('section', { page: 'a.md', heading: 'FAQ', text })).toMatchObject({
      kind: 'add section',
      heading: 'FAQ',
      content: text,
    })
  expect(say('replace', { from: 'a', to: 'b', place: 'guides/' })).toMatchObject({
    scope: { kind: 'folder', path: 'guides' },
  })
  expect(say('links', { only: 'images', place: 'a b.md' })).toMatchObject({ kind: 'links', only: 'image' })
})
