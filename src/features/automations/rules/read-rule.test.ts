import { expect, it } from 'vitest'
import { presets, textOfPreset } from './presets.ts'
import { readRule } from './read-rule.ts'
import { presetNames } from './preset-names.ts'
import { nextTime } from './schedule.ts'

const rule = (front: string, body = 'Do it.') => readRule(`---\n${front}\n---\n\n${body}\n`)

it('reads a rule with all that it may have', () => {
  const { rule: read, problems } = rule(
    [
      'name: Keep the reference true',
      'type: code-changes',
      'on:',
      '  push:',
      '    - repo: app',
      '      branch: release/*',
      "      paths: ['src/**/*.ts']",
      '  schedule: { cron: 0 9 * * 1, zone: Europe/Berlin }',
      'context: [app]',
      'group: week',
      'budget: { cost: 2.5 }',
      'limits: { runs: 3 }',
    ].join('\n'),
  )
  expect(problems).toEqual([])
  expect(read).toMatchObject({
    name: 'Keep the reference true',
    on: {
      push: [{ repo: 'app', branch: 'release/*', paths: ['src/**/*.ts'] }],
      schedule: { cron: '0 9 * * 1', zone: 'Europe/Berlin' },
    },
    update: true,
    draft: true,
    limits: { runs: 3 },
    instructions: `${presets['code-changes'].instructions}\n\nDo it.`,
  })
})

it.each([
  ['name: A\non:\n  fork: {}', ['line 4: `on.fork` is not a field of rules']],
  ['name: A\non:\n  push:\n    brnch: main', ['line 5: `on.push.brnch` is not a field of rules']],
  ['name: A\ntype: links', [/^line 3: `type` must be one of code-changes, /]],
  ['on: {}', [/^line 2: `name` must be a string/]],
  ['name: A\nlimits:\n  runs: 1000', ['line 4: `limits.runs` must be an integer from 1 to 100']],
  ['name: A\non:\n  schedule:\n    cron: 0 9 * * 8', [/^line 5: `on.schedule.cron` must be five fields/]],
  [
    'name: A\non:\n  schedule:\n    cron: "* * * * *"',
    [/^line 5: `on.schedule.cron` must leave at least 15 minutes/],
  ],
  ['name: A\non:\n  schedule:\n    cron: 0 0 31 2 *', [/^line 5: `on.schedule.cron`: names no time/]],
  [
    'name: A\non:\n  schedule:\n    cron: 0 9 * * 1\n    zone: Mars/North',
    ['line 6: `on.schedule.zone` must be a time zone such as Europe/Berlin or UTC'],
  ],
  ['name: A\n  broken: [', [/^line \d+: /]],
  ['name: A\nname: B', [/^line 3: /]],
])('names the line of what is wrong in %j', (front, expected) => {
  const { problems } = rule(front)
  expect(problems).toHaveLength(expected.length)
  for (const [at, one] of expected.entries()) expect(problems[at]).toMatch(one)
})

it('tells the agent what the type is for, and then what the rule says of it', () => {
  const told = (type: string, words: string) =>
    readRule(`---\nname: A\ntype: ${type}\n---\n\n${words}\n`).rule?.instructions
  const { translations, typos } = presets
  expect(told('translations', 'Only docs/de.')).toBe(`${translations.instructions}\n\nOnly docs/de.`)
  expect(told('translations', '')).toBe(translations.instructions)
  expect(told('translations', `${translations.instructions} Now.`)).toBe(`${translations.instructions} Now.`)
  expect(told('typos', 'Fix typos in docs/a.md')).toBe('Fix typos in docs/a.md')
  expect(told('typos', '')).toBe(typos.instructions)
})

it('names the line of missing instructions and of missing front matter', () => {
  expect(rule('name: A', '').problems).toEqual([
    'line 4: write below the front matter what the agent shall do, or name a type',
  ])
  expect(readRule('Do it.').problems).toEqual([
    'line 1: the rule must begin with front matter between two lines of ---',
  ])
})

it('takes each preset as it is written', () => {
  for (const name of presetNames) {
    const { rule: read, problems } = readRule(textOfPreset(name))
    expect(problems).toEqual([])
    expect(read?.instructions).toBe(presets[name].instructions)
  }
})

it('reads workflows of Mintlify, and notes what it does not use', () => {
  const text = [
    '---',
    'name: "Update changelog"',
    'on:',
    '  cron: "0 9 * * 1"',
    'context:',
    '  - repo: "acme/cli"',
    'automerge: false',
    'notify:',
    '  slack:',
    '    channels: [docs]',
    '---',
    'Look at the tags.',
  ].join('\n')
  expect(readRule(text, 'mintlify')).toMatchObject({
    rule: { on: { schedule: { cron: '0 9 * * 1', zone: 'UTC' } }, context: ['acme/cli'] },
    notes: ['line 8: `notify` is not used here'],
  })
  const push = '---\nname: A\non:\n  push:\n    - repo: acme/app\n      branch: main\n---\nDo it.'
  expect(readRule(push, 'mintlify').rule?.on?.push).toEqual([{ repo: 'acme/app', branch: 'main' }])
})

it('reads hostile texts in bounded time', () => {
  const before = process.cpuUsage()
  const texts = [
    `---\nname: ${'['.repeat(9000)}\n---\n`,
    `---\n${'a: &a [*a]\n'.repeat(800)}---\nx`,
    `---\nname: A\n---\n${'x'.repeat(1_000_000)}`,
    `---\nname: A\non: {push: {paths: ["${'{a,b}'.repeat(40)}"]}}\n---\nx`,
  ]
  for (const text of texts) expect(readRule(text).problems).not.toEqual([])
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000)
})

it('comes once where summer time skips or repeats a time', () => {
  const clock = { cron: '30 2 * * *', zone: 'Europe/Berlin' }
  const times = (from: string, count: number): string[] => {
    const all: string[] = []
    let at = new Date(from)
    while (all.length < count) {
      at = nextTime(clock, at) ?? at
      all.push(at.toISOString().slice(0, 16))
    }
    return all
  }
  expect(times('2026-03-28T12:00:00Z', 2)).toEqual(['2026-03-29T01:00', '2026-03-30T00:30'])
  expect(times('2026-10-24T12:00:00Z', 2)).toEqual(['2026-10-25T00:30', '2026-10-26T01:30'])
})
