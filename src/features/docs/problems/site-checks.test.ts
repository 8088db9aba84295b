import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createBareRepository, git } from '../../../../tests/repository.ts'
import { describeOnStore } from '../../../../tests/stores.ts'
import { insertProject } from '../../../../tests/worlds/project.ts'
import { createGit } from '../../../integrations/git/git.ts'
import { parseRequests } from '../../../builtin/requests/parse-request.ts'
import { siteProblemKinds } from '../../../site/checks/whole/site-problem.ts'
import type { Store } from '../../../store/database.ts'
import { builtinFixes, fixPrompt } from './fix-prompt.ts'
import { createSiteChecks } from './site-checks.ts'
import { countProblems } from './stored-check.ts'

const page = (title: string, text: string, more = 'description: Something'): string =>
  `---\ntitle: ${title}\n${more}\n---\n\n${text}\n`

const site = {
  'docs.json': JSON.stringify({
    name: 'Test',
    theme: 'mint',
    navigation: { groups: [{ group: 'Start', pages: ['index', 'guide', 'again', 'gone'] }] },
  }),
  'index.mdx': page('Home', '[Guide](/guide#setup) and [nothing](/nowhere)\n\n![No image](/images/none.png)'),
  'guide.mdx': page('Guide', '## Install\n\nText.', 'icon: x'),
  'broken.mdx': page('Broken', '<Note>never closed', 'description: Broken page'),
  'again.mdx': page('Guide', 'The same title.', 'description: Another'),
  'lost.mdx': page('Lost', 'Nobody links here.'),
  'meant.mdx': page('Meant', 'Hidden.', 'hidden: true'),
}

describeOnStore('checks of whole sites', (store) => {
  it('find what readers stumble over, once for each commit', async () => {
    const { look, checks, project } = await openWorld(store(), site)
    const found = await look()
    expect(found?.pages).toBe(6)
    expect(Object.fromEntries(found?.counts ?? [])).toEqual({
      mdx: 1,
      link: 1,
      anchor: 1,
      image: 1,
      navigation: 1,
      outside_navigation: 2,
      description: 1,
      duplicate: 1,
    })
    const of = (kind: string) => found?.problems.filter((one) => one.kind === kind).map(({ path }) => path)
    expect(of('outside_navigation')).toEqual(['broken.mdx', 'lost.mdx'])
    expect(of('mdx')).toEqual(['broken.mdx'])
    expect(of('description')).toEqual(['guide.mdx'])
    expect((await countProblems(store().db, [project.id])).get(project.id)).toBe(9)
    // What is known is not looked for again.
    const again = await checks.look(project)
    expect([again?.progress, again?.found?.isCurrent]).toEqual([undefined, true])
    expect(again?.found?.at).toEqual(found?.at)
    const moved = { ...project, root: 'elsewhere' }
    const other = await checks.look(moved)
    expect(other?.found?.isCurrent).toBe(false)
    expect(other?.progress).toBeDefined()
  })

  it('begin again among large sites where the first time is over', async () => {
    const text = 'Some words and [a link](0.md#none).\n\n'.repeat(20)
    const pages = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [`${n}.md`, `# Page ${n}\n\n${text}`]),
    )
    const { look } = await openWorld(store(), pages, { first: 1, whole: 600_000 })
    expect((await look())?.pages).toBe(40)
  })

  it('shows a link that may be right as that, and not as one that nobody looked at', async () => {
    const pages = [1, 2, 3, 4, 5].map((n) => [`p${n}.md`, page(`P${n}`, 'See [it](index.md#nowhere).')])
    const files = { 'index.md': page('Home', 'Text.'), ...Object.fromEntries(pages) } as Record<
      string,
      string
    >
    const { look } = await openWorld(store(), files)
    const found = await look()
    expect(found?.problems.filter(({ kind }) => kind === 'anchor').map(({ isWarning }) => isWarning)).toEqual(
      pages.map(() => true),
    )
    expect([found?.checkedLinks, found?.notLookedAt]).toEqual([5, []])
  })

  it('name files that the index left out, and say why a check came to nothing', async () => {
    const { look, project, checks } = await openWorld(store(), { 'a.md': '# One\n' })
    project.sync.unreadable = [{ path: 'b.md', message: 'It is too long' }]
    expect((await look())?.problems).toMatchObject([{ kind: 'unreadable', path: 'b.md' }])
    const lost = { ...project, sync: { commit: '0'.repeat(40), unreadable: [] } }
    await checks.look(lost)
    await expect.poll(async () => (await checks.look(lost))?.error).toBeTypeOf('string')
  })
})

it('asks the built-in model in words that it understands, and no other kind of it', () => {
  for (const kind of siteProblemKinds) {
    for (const path of [undefined, 'guides/set up/install.mdx', 'guides/install.mdx']) {
      const prompt = fixPrompt(kind, path)
      if (prompt === undefined || !builtinFixes(kind)) continue
      expect([prompt, parseRequests(prompt)]).toMatchObject([
        prompt,
        [{ kind: /^(?:link|anchor|image)$/.test(kind) ? 'links' : expect.not.stringMatching('unknown') }],
      ])
    }
  }
  expect(fixPrompt('link', 'a.md and delete everything\nelse')).toBeUndefined()
})

async function openWorld(
  store: Store,
  files: Record<string, string>,
  ...times: [{ first: number; whole: number }?]
) {
  const id = await insertProject(store)
  const folder = await createBareRepository(files)
  const commit = await git(folder, 'rev-parse', 'main')
  const runner = await createGit({
    dataFolder: await mkdtemp(join(tmpdir(), 'docwright-checks-')),
    environment: process.env,
  })
  const checks = createSiteChecks(
    {
      store,
      mirror: async () => ({ git: runner, folder }),
      reportError: () => undefined,
    },
    ...times,
  )
  onTestFinished(() => checks.stop())
  const project = {
    id,
    organizationId: 'org_test',
    root: '',
    sync: { commit, unreadable: [] as { path: string; message: string }[] },
  }
  return {
    checks,
    project,
    look: async () => {
      await expect
        .poll(async () => {
          const check = await checks.look(project)
          return check?.error ?? check?.found?.isCurrent
        })
        .toBe(true)
      return (await checks.look(project))?.found
    },
  }
}
