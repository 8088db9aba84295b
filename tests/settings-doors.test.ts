import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contextOf } from '../src/cli/command-context.ts'
import { addSetCommand } from '../src/nouns/settings/print.ts'
import {
  fieldsOfCommand,
  fieldsOfForm,
  settingNames,
  type SettingField,
} from '../src/features/projects/settings/fields.ts'
import { settingsChange } from '../src/features/projects/settings/schemas.ts'
import { messageOf } from '../src/lib/errors.ts'
import { isRecord } from '../src/lib/is-record.ts'
import { placeBelow } from '../src/lib/text/issue-sentence.ts'
import { startServer, type TestServer } from './server.ts'

let server: TestServer
let operator = ''
let person: { cookie: string; csrf: string }

beforeAll(async () => {
  // Nothing listens there: a model can be named, and whoever asks it is refused.
  server = await startServer({ environment: { OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:9/v1' } })
  operator = (await readFile(join(server.dataFolder, 'operator-token'), 'utf8')).trim()
  const link = await server.request('POST', '/admin/sign-in-links', { key: operator })
  const { url } = (await link.json()) as { url: string }
  const token = new URL(url).searchParams.get('token')
  const signedIn = await server.request('POST', '/admin/session', { body: { token } })
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  person = { cookie, csrf: ((await signedIn.json()) as { csrfToken: string }).csrfToken }
})
afterAll(() => server[Symbol.asyncDispose]())

const long = (most: number) => 'x'.repeat(most + 1)
const names = { good: ['ann', 'bob'], bad: ['ann', long(100)] }
const globs = { good: ['a/**', 'b.md'], bad: [long(500)] }
const count = (most: number) => ({ good: most, bad: most + 1 })
const truth = { good: true, bad: 'maybe' }
const model = { good: 'builtin', bad: long(200) }

/** A value that each field takes, and one that breaks its rule, as the API is given them. */
const values: Record<string, { good: unknown; bad: unknown }> = {
  visibility: { good: 'key', bad: 'friends' },
  site: { good: 'https://docs.example.com', bad: 'ftp://docs.example.com' },
  model,
  assistantModel: model,
  steps: count(10_000),
  tokens: count(1_000_000_000),
  cost: { good: 2.5, bad: 0 },
  minutes: { good: 1440, bad: 'an hour' },
  onProblems: { good: 'fail', bad: 'ignore' },
  allow: globs,
  protect: { good: globs.good, bad: ['{a,b}'.repeat(7)] },
  allowedHosts: { good: ['*.example.com'], bad: ['https://example.com/x'] },
  allowedImports: { good: ['@example/components'], bad: ["a'b"] },
  allowedParts: { good: ['component Chart'], bad: ['x'.repeat(201)] },
  strict: truth,
  assistantTokensPerDay: count(1_000_000_000_000),
  assistantQueries: { good: 'off', bad: 'sometimes' },
  assistantFiles: truth,
  assistantCode: truth,
  assistantOnDocs: truth,
  assistantAskedStarters: truth,
  assistantInstructions: { good: 'Be brief.\nBe kind.', bad: long(4000) },
  assistantStarters: { good: ['How?', '/guides Why?'], bad: ['/guides'] },
  assistantRefuse: { good: ['prices'], bad: [long(200)] },
  assistantContact: { good: 'Support https://example.com/help', bad: 'javascript:alert(1)' },
  retentionDays: { good: 0, bad: 'forever' },
  contextRepositories: { good: undefined, bad: [{ name: '../x', location: '/srv' }] },
  enrichQuestions: { good: 'compatible:chat', bad: long(200) },
  enrichVectors: { good: 'compatible:vectors', bad: long(200) },
  enrichCeiling: { good: 100_000, bad: 100_001 },
  draft: truth,
  labels: names,
  reviewers: names,
  assignees: names,
  branchPrefix: { good: 'bot/', bad: 'a b/' },
  signOff: { good: 'person', bad: 'everybody' },
  trusted: names,
}

it('shows every field at the doors that it has', async () => {
  const fields = fieldsOfCommand()
  expect(fields.map(({ name }) => name).toSorted()).toEqual(Object.keys(values).toSorted())
  expect([...new Set(fields.map(({ setting }) => setting))].toSorted()).toEqual(settingNames.toSorted())
  for (const form of new Set(fields.map((field) => field.form))) {
    if (form === undefined) continue
    const place = form === 'widget' ? form : form === 'general' ? 'settings' : `settings/${form}`
    const headers = { cookie: person.cookie }
    const page = await (await fetch(`${server.url}/projects/docwright/${place}`, { headers })).text()
    const own = fields.filter((field) => field.form === form)
    const here = own.filter(({ hosted }) => hosted !== true)
    expect(here.filter(({ name }) => !page.includes(` name="${name}"`))).toEqual([])
    expect(fieldsOfForm(form)).toEqual(expect.arrayContaining(own))
  }
})

it.each(fieldsOfCommand())('has one rule for $name at every door, in the same words', async (field) => {
  const { good = ownRepository(), bad } = values[field.name] ?? {}
  const { place, rule } = ruleBroken(field, bad)
  const doors = [
    api(field, place),
    ...(field.form === undefined ? [] : [form(field, place)]),
    terminal(field, place),
  ]
  for (const door of doors) {
    expect([door.name, await door.set(good), await now(field)]).toEqual([door.name, 'taken', keeping(good)])
    // A box is checked or not, and an option of the terminal is there or not.
    if (door.name === 'API' || field.kind !== 'truth') {
      const refusal = `${door.callsIt}${door.saysWhere} ${rule}`
      expect([door.name, await door.set(bad), await now(field)]).toEqual([door.name, refusal, keeping(good)])
    }
    expect([door.name, await door.clear()]).toEqual([door.name, 'taken'])
    const left = door.name === 'form' && field.keepsStandard ? field.standard : undefined
    expect([door.name, await now(field)]).toEqual([door.name, left])
  }
})

it('takes logins as people write them, and keeps the parts that nobody named', async () => {
  const [draft, reviewers] = ['draft', 'reviewers'].flatMap((name) => {
    const field = fieldsOfCommand().find((one) => one.name === name)
    return field === undefined ? [] : [field]
  })
  if (draft === undefined || reviewers === undefined) throw new Error('expected both to be there')
  for (const door of [form(reviewers, []), terminal(reviewers, [])]) {
    expect(await terminal(draft, []).set(true)).toBe('taken')
    expect(await door.set(['@ann, bob', 'ann'])).toBe('taken')
    expect(await now(reviewers)).toEqual(['ann', 'bob'])
    // A form without its box says no.
    expect(await now(draft)).toBe(door.name === 'form' ? undefined : true)
  }
  expect(await api(reviewers, []).clear()).toBe('taken')
})

interface Door {
  name: 'API' | 'form' | 'terminal'
  /** How its messages call the field. */
  callsIt: string
  /** What they say between the field and the rule. */
  saysWhere: string
  /** @returns `taken`, or why it was refused */
  set(value: unknown): Promise<string>
  clear(): Promise<string>
}

function api({ setting, part }: SettingField, place: readonly string[]): Door {
  const patch = async (value: unknown): Promise<string> => {
    const body = { [setting]: value }
    const path = '/admin/projects/docwright/settings'
    const answer = await server.request('PATCH', path, { key: operator, body })
    return answer.ok ? 'taken' : ((await answer.json()) as { error: string }).error
  }
  return {
    name: 'API',
    callsIt: `\`${place.join('.')}\``,
    saysWhere: '',
    set: (value) => patch(part === undefined ? value : { [part]: value }),
    clear: () => patch(null),
  }
}

function form(field: SettingField, place: readonly string[]): Door {
  const address = field.form === 'widget' ? 'widget/docs' : `settings/${field.form}`
  const send = async (text: string | undefined): Promise<string> => {
    const response = await fetch(`${server.url}/projects/docwright/${address}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: person.cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        csrf: person.csrf,
        ...(text !== undefined && { [field.name]: text }),
      }).toString(),
    })
    if (response.status === 303) return 'taken'
    const [, problem = ''] = /data-problem>([^<]*)\.</.exec(await response.text()) ?? []
    return problem.replaceAll('&quot;', '"').replaceAll('&#39;', "'")
  }
  const isNames = field.typed === 'names' || field.typed === 'logins'
  return {
    name: 'form',
    callsIt: `“${field.label}”`,
    saysWhere: placeBelow(belowOf(field, place)),
    set: (value) =>
      send(
        value === true ? 'yes' : Array.isArray(value) ? value.join(isNames ? ',' : '\r\n') : String(value),
      ),
    clear: () =>
      send(field.kind === 'truth' ? undefined : field.kind === 'choice' ? String(field.standard) : ''),
  }
}

function terminal(field: SettingField, place: readonly string[]): Door {
  const { setting, option } = field
  const flag = option.split(' ')[0] ?? ''
  const run = async (...words: string[]): Promise<string> => {
    const program = new Command().exitOverride()
    addSetCommand(program.command('project'), (command) => ({
      ...contextOf(command, server.dataFolder),
      print: () => undefined,
    }))
    return program.parseAsync(['project', 'set', 'docwright', ...words], { from: 'user' }).then(
      () => 'taken',
      (error: unknown) => messageOf(error),
    )
  }
  return {
    name: 'terminal',
    callsIt: flag,
    saysWhere: placeBelow(belowOf(field, place)),
    set: (value) => run(flag, ...(value === true ? [] : [value].flat().map(wordOf))),
    clear: () => run('--unset', setting),
  }
}

/** A value as a word of the command; a context repository as its name and place. */
function wordOf(value: unknown): string {
  return isRecord(value) ? `${String(value['name'])}=${String(value['location'])}` : String(value)
}

function ownRepository(): object[] {
  return [{ name: 'more', location: join(server.dataFolder, 'repositories', 'docwright.git') }]
}

/** The rule that a value breaks, by the schema alone. */
function ruleBroken({ setting, part }: SettingField, value: unknown): { place: string[]; rule: string } {
  const { error } = settingsChange.safeParse({ [setting]: part === undefined ? value : { [part]: value } })
  const [issue] = error?.issues ?? []
  return { place: (issue?.path ?? []).map(String), rule: issue?.message ?? '' }
}

/** Where below a field something is, as doors for people call it. */
function belowOf({ part }: SettingField, place: readonly string[]): readonly string[] {
  return place.slice(part === undefined ? 1 : 2)
}

/** What is kept of a value: of a repository also its branch and kind. */
function keeping(value: unknown): unknown {
  return Array.isArray(value)
    ? value.map((item: unknown) => (isRecord(item) ? expect.objectContaining(item) : item))
    : value
}

async function now({ setting, part }: SettingField): Promise<unknown> {
  const answer = await server.request('GET', '/admin/projects/docwright', { key: operator })
  const { settings } = (await answer.json()) as { settings: Record<string, unknown> }
  const value = settings[setting]
  return part === undefined || !isRecord(value) ? value : value[part]
}
