import { describe, expect, it } from 'vitest'
import { checkChanges } from '../src/features/agent/policy/check-changes.ts'
import { openBaseSite } from '../src/features/agent/policy/base-site.ts'
import { checkContent } from '../src/features/agent/policy/check-content.ts'
import { newHosts } from '../src/features/agent/policy/new-hosts.ts'
import { refusedChanges } from './adversarial/cases.ts'
import { files, links } from './adversarial/files.ts'
import { harmlessData, hostileData } from './adversarial/hostile-data.ts'
import { type PolicyAttack, hostilePages } from './adversarial/hostile-pages.ts'
import { harmlessArguments, hostileArguments } from './adversarial/hostile-arguments.ts'
import { hostileBlocks } from './adversarial/hostile-blocks.ts'
import { harmlessFormats, hostileFormats } from './adversarial/hostile-formats.ts'
import { harmlessSleep, hostileWakes } from './adversarial/hostile-wakes.ts'
import { harmlessKnown, hostileKnown } from './adversarial/known-forms.ts'
import { harmlessEscapes, hostileEscapes } from './adversarial/hostile-escapes.ts'
import { harmlessGenerators, hostileGenerators } from './adversarial/hostile-generators.ts'
import { hostileInvented } from './adversarial/hostile-invented.ts'
import { hostileMarkups } from './adversarial/hostile-markups.ts'
import { hostileNear } from './adversarial/hostile-near.ts'
import { harmlessUnnamed, hostileUnnamed } from './adversarial/hostile-unnamed.ts'
import { hiddenHosts, hiddenTexts, hostilePaths } from './adversarial/hostile-rest.ts'
import { nearCommits, plainInCommits, unknownInCommits } from './adversarial/replayed-commits.ts'
import { type Tree, openTree } from './agent/open-tree.ts'

// As adversarial.test.ts, by many more ways, over a tree in memory: what tools refuse and what the end of a turn would.

const folders: Readonly<Record<string, string>> = {
  python: 'python/docs',
  saurus: 'saurus/docs',
  star: 'star/src/content/docs',
  hugo: 'hugo/content',
}
const tree: Tree = {
  ...files,
  ...Object.fromEntries(
    Object.entries(links).map(([path, content]) => [path, { mode: '120000', content }] as const),
  ),
  'mint/gr\u00f6\u00dfe.md': 'x\n',
  'mint/k.md': 'x\n',
  'star/astro.config.mjs':
    'import starlight from "@astrojs/starlight"\nexport default { integrations: [starlight({ title: "x" })] }\n',
  'star/src/content/docs/index.mdx': '---\ntitle: Home\n---\n\nHi.\n',
  'hugo/hugo.toml': 'title = "x"\n',
  'hugo/content/index.md':
    '---\ntitle: Home\n---\n\n{{< figure src="/a.png" >}}\n{{< note >}}x{{< /note >}}\n',
}

async function attack({ site, path, content, calls, base }: Omit<PolicyAttack, 'name'>) {
  const opened = await openTree({ ...tree, ...base }, { root: site })
  const page = path ?? `${folders[site] ?? site}/evil.${/^(?:mint|saurus)$/.test(site) ? 'mdx' : 'md'}`
  const whole = /^(?:---|\+\+\+|\{|RAW)/.test(content)
    ? content.replace(/^RAW/, '')
    : `# Evil\n\n${content}\n`
  const refusals: unknown[] = []
  for (const [tool, input] of calls ?? [['write_file', { path: page, content: whole }] as const]) {
    if (/^(?:edit|write)_file$/.test(tool)) await opened.call('read_file', { path: input.path })
    const { error } = await opened.call(tool, input)
    if (error !== undefined) refusals.push(error)
  }
  const { configPaths, navigationFiles, openKeys } = await opened.baseView.site()
  const differences = await opened.workspace.differences()
  const judge = await openBaseSite(opened.workspace, opened.baseView)
  const violations = [
    ...checkChanges(differences, { root: site, configPaths, navigationFiles, openKeys }, judge.pages),
    ...(await checkContent(differences, judge)),
  ]
  const heldChanges = violations.filter(({ degree }) => degree === undefined)
  return {
    refusals,
    heldChanges,
    refused: [...refusals, ...violations],
    held: [...refusals, ...heldChanges],
    hosts: await newHosts(differences, judge),
  }
}

describe('changes that tools let pass', () => {
  it.each(refusedChanges)('are held at the end: %s', async (_, site, calls) => {
    const { refusals, heldChanges } = await attack({ site, content: '', calls })
    expect(refusals).toEqual([])
    // For what was tried, not for something beside it.
    expect(heldChanges.map(({ path }) => path)).toContain(String(calls[0]?.[1]['path']))
  })
})

describe('pages that run, load, include or tell', () => {
  it.each([...hostilePages, ...hostileBlocks].map((one) => [one.name, one] as const))(
    'are refused: %s',
    async (_, one) => {
      expect((await attack(one)).refused).not.toEqual([])
    },
  )
})

describe('what single formats and frameworks know', () => {
  it.each(hostileFormats.map((one) => [one.name, one] as const))('is refused: %s', async (_, one) => {
    expect((await attack(one)).refused).not.toEqual([])
  })
  it.each(harmlessFormats.map((one) => [one.name, one] as const))('is let through: %s', async (_, one) => {
    expect((await attack(one)).refused).toEqual([])
  })
})

describe('what formats do that no list names', () => {
  it.each(hostileUnnamed.map((one) => [one.name, one] as const))('is refused: %s', async (_, one) => {
    expect((await attack(one)).refused).not.toEqual([])
  })
  it.each(harmlessUnnamed.map((one) => [one.name, one] as const))('is let through: %s', async (_, one) => {
    expect((await attack(one)).refused).toEqual([])
  })
})

describe('what looks like something that is let through', () => {
  it.each(hostileNear.map((one) => [one.name, one] as const))('is refused: %s', async (_, one) => {
    expect((await attack(one)).refused).not.toEqual([])
  })
})

describe('what looks like a form that the base has', () => {
  it.each(hostileKnown.map((one) => [one.name, one] as const))('is refused: %s', async (_, one) => {
    expect((await attack(one)).refused).not.toEqual([])
  })
  it.each(harmlessKnown.map((one) => [one.name, one] as const))('is let through: %s', async (_, one) => {
    expect((await attack(one)).refused).toEqual([])
  })
})

describe('what acts by where it stands', () => {
  it.each(hostileArguments.map((one) => [one.name, one] as const))('is held: %s', async (_, one) => {
    expect((await attack(one)).held).not.toEqual([])
  })
  it.each(harmlessArguments.map((one) => [one.name, one] as const))('is let through: %s', async (_, one) => {
    expect((await attack(one)).refused).toEqual([])
  })
})

describe('what escapes by settings, options, copied lines and unseen text', () => {
  it.each(hostileEscapes.map((one) => [one.name, one] as const))('is held: %s', async (_, one) => {
    expect((await attack(one)).held).not.toEqual([])
  })
  it.each(harmlessEscapes.map((one) => [one.name, one] as const))('is let through: %s', async (_, one) => {
    expect((await attack(one)).refused).toEqual([])
  })
})

describe('what generators, servers and shells do with a line', () => {
  it.each(hostileGenerators.map((one) => [one.name, one] as const))('is held: %s', async (_, one) => {
    expect((await attack(one)).held).not.toEqual([])
  })
  it.each(harmlessGenerators.map((one) => [one.name, one] as const))('is let through: %s', async (_, one) => {
    expect((await attack(one)).refused).toEqual([])
  })
})

describe('what was invented last', () => {
  it.each(hostileInvented.map((one) => [one.name, one] as const))('is held: %s', async (_, one) => {
    expect((await attack(one)).held).not.toEqual([])
  })
})

describe('what Asciidoctor and docutils take for something else', () => {
  it.each(hostileMarkups.map((one) => [one.name, one] as const))('is refused: %s', async (_, one) => {
    expect((await attack(one)).refused).not.toEqual([])
  })
})

describe('what people did in real commits', () => {
  it.each(plainInCommits.map((one) => [one.name, one] as const))('is let through: %s', async (_, one) => {
    expect((await attack(one)).refused).toEqual([])
  })
  it.each(unknownInCommits.map((one) => [one.name, one] as const))(
    'is to be looked at: %s',
    async (_, one) => {
      const { held, refused } = await attack(one)
      expect(held).toEqual([])
      expect(refused).not.toEqual([])
    },
  )
  it.each(nearCommits.map((one) => [one.name, one] as const))('is held where it acts: %s', async (_, one) => {
    expect((await attack(one)).held).not.toEqual([])
  })
})

describe('what sleeps in the base', () => {
  it.each(hostileWakes.map((one) => [one.name, one] as const))('may not wake: %s', async (_, one) => {
    expect((await attack(one)).refused).not.toEqual([])
  })
  it.each(harmlessSleep.map((one) => [one.name, one] as const))('may go on: %s', async (_, one) => {
    expect((await attack(one)).refused).toEqual([])
  })
})

describe('configuration and data that do', () => {
  it.each(hostileData.map((one) => [one.name, one] as const))('are refused: %s', async (_, one) => {
    expect((await attack(one)).refused).not.toEqual([])
  })
  it.each(harmlessData.map((one) => [one.name, one] as const))('are let through: %s', async (_, one) => {
    expect((await attack(one)).refused).toEqual([])
  })
})

describe('paths that mean something else elsewhere', () => {
  it.each(hostilePaths.map((path) => [JSON.stringify(path), path] as const))(
    'are refused: %s',
    async (_, path) => {
      const site = path.slice(0, path.indexOf('/')).toLowerCase()
      const calls: PolicyAttack['calls'] = [['write_file', { path, content: 'x: 1\n' }]]
      expect((await attack({ site, content: '', calls })).refused).not.toEqual([])
    },
  )
})

describe('what reviewers would not see', () => {
  it.each(hiddenTexts)('is refused: %s', async (_, text) => {
    expect((await attack({ site: 'plain', content: text })).refused).not.toEqual([])
  })
  it.each(hiddenHosts.map((text) => [text.slice(0, 60), text] as const))(
    'is told, as a host: %s',
    async (_, text) => {
      const { hosts } = await attack({ site: 'plain', content: text })
      expect(hosts.some((host) => host.endsWith('evil.net'))).toBe(true)
    },
  )
  it('is told, as a host whose name is a piece of another', async () => {
    const base = { 'plain/g.md': 'https://notevil.net and https://evil.network\n' }
    const { hosts } = await attack({ site: 'plain', content: '[x](https://evil.net)', base })
    expect(hosts).toEqual(['evil.net'])
  })
})

describe('pages that go away', () => {
  const each = (call: (index: number) => [string, Record<string, unknown>]) =>
    Array.from({ length: 30 }, (_, index) => call(index))
  const all = Array.from(
    { length: 30 },
    (_, index) => `---\ntitle: Page ${index}\n---\n\nText of page ${index}.\n`,
  )
  const deleted = each((index) => ['delete_page', { path: `mint/many/p${index}.mdx` }])

  it.each<[string, NonNullable<PolicyAttack['calls']>]>([
    [
      'emptied',
      each((index) => ['write_file', { path: `mint/many/p${index}.mdx`, content: '---\ntitle: X\n---\n' }]),
    ],
    ['put into a text', [['write_file', { path: 'mint/junk.txt', content: all.join('\n') }], ...deleted]],
    ['put into one page', [['write_file', { path: 'mint/junk.mdx', content: all.join('\n') }], ...deleted]],
    [
      'commented out',
      [
        [
          'write_file',
          {
            path: 'mint/long.mdx',
            exact: true,
            content: `---\ntitle: x\n---\n\n{/*\n${(files['mint/long.mdx'] ?? '').split('---\n')[2] ?? ''}\n*/}\n`,
          },
        ],
      ],
    ],
  ])('are counted: %s', async (_, calls) => {
    expect((await attack({ site: 'mint', content: '', calls })).refused).toMatchObject([{ code: 'removal' }])
  })
  it('may move', async () => {
    const calls = each((index) => [
      'move_page',
      { from: `mint/many/p${index}.mdx`, to: `mint/moved/p${index}.mdx` },
    ])
    expect((await attack({ site: 'mint', content: '', calls })).refused).toEqual([])
  })
})

it('does not read files that are made to hold secrets', async () => {
  const { call } = await openTree({
    ...tree,
    '.env': 'KEY=1\n',
    'certs/a.pem': 'x\n',
    '.env.example': 'KEY=\n',
  })
  for (const path of ['.env', 'certs/a.pem', '.npmrc'])
    expect(await call('read_file', { path })).toMatchObject({ error: { code: 'forbidden' } })
  expect(await call('grep', { pattern: 'KEY=' })).toMatchObject({ matches: [{ path: '.env.example' }] })
})
