import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { insertProject } from '../../../tests/worlds/project.ts'
import { pageOf } from '../../../tests/worlds/search-world.ts'
import { starterQuestions } from '../assistant/suggestions/starters.ts'
import { writeRowsOfQuestions } from './enrich/section-questions.ts'
import { sectionTexts } from './enrich/section-texts.ts'
import { createIndexes } from './indexes.ts'
import { packNavigation, writeNavigation } from './navigation.ts'
import { findPage, writePages } from './pages.ts'
import { searchDocs } from './search-docs.ts'
import { starterSections } from './starter-sections.ts'

const filler = 'Here is how that is done, step by step, with all that matters for it.'
const start = pageOf('start.md', 'Get started', 'Begin.')
const install = pageOf(
  'guides/install.md',
  'Installing the agent',
  `The agent runs on Linux.\n## Verify the signature\n${filler} Signature.\n## Remove the package\n${filler} Package.\n## Limits\n${filler}\n## What is a runner?\nA runner runs jobs. ${filler}`,
)
const deploy = pageOf(
  'guides/deploy.md',
  'Deployment',
  `Overview.\n## Configure the proxy\nThe proxy. ${filler}`,
)
const backups = pageOf(
  'guides/backups.md',
  'Backups',
  `Overview.\n## How to restore a backup\nBackups are restored. ${filler}`,
)
const german = pageOf(
  'de/backups.md',
  'Sicherungen',
  `Text.\n## Wie stelle ich eine Sicherung wieder her?\nEine Sicherung. ${filler}`,
  { language: 'de' },
)
const bare = pageOf('about.md', 'About', 'We are people who like to write about what we do.')

describeOnStore('questions to begin with', (store) => {
  const world = async (questionsModel?: string) => {
    const id = await insertProject(store())
    const pages = [start, bare, install, deploy, backups, german]
    await store().transaction(async (tx) => {
      await writePages(
        tx,
        id,
        pages.map((page) => ({ page, oid: 'x', included: {}, content: '' })),
        [],
      )
      await writeNavigation(tx, id, packNavigation(pages.map(({ path }) => ({ path, groups: [] }))))
    })
    const indexes = createIndexes(store(), await mkdtemp(join(tmpdir(), 'docwright-starters-')))
    const indexed = {
      id,
      generation: 1,
      sync: { state: 'ready' as const },
      settings: {},
      enrichment: undefined,
    }
    return {
      id,
      ask: (path?: string, refuse: string[] = []) =>
        starterQuestions(
          {
            guidanceOf: () => ({ refuse }),
            findPage: (project, name) => findPage(store().db, project.id, name),
            search: (_, { context: _context, ...request }) => searchDocs(indexes, indexed, request),
            starterSections: ({ id: projectId }, at) =>
              starterSections(
                store().db,
                { id: projectId, settings: { enrichment: { questions: questionsModel } } },
                at,
              ),
          },
          { id, domain: 'docs' },
          path,
        ),
    }
  }

  it('are those that the page answers, as people would ask them', async () => {
    const { ask } = await world()
    expect(await ask('/guides/install')).toEqual([
      'How do I verify the signature?',
      'How do I remove the package?',
      'What is a runner?',
      'How do I install the agent?',
    ])
    expect(await ask('/guides/install', ['signature'])).not.toContain('How do I verify the signature?')
  })

  it('are those of the first pages of the navigation where the page has none, one of each', async () => {
    const { ask } = await world()
    const central = [
      'How do I get started?',
      'How do I verify the signature?',
      'How do I configure the proxy?',
      'How do I restore a backup?',
    ]
    expect(await ask()).toEqual(central)
    expect(await ask('/about')).toEqual(central)
    expect(await ask('/no/such/page')).toEqual(central)
  })

  it('are in the language of the page', async () => {
    const { ask } = await world()
    expect(await ask('/de/backups')).toEqual(['Wie stelle ich eine Sicherung wieder her?'])
  })

  it('are none where nothing can be asked', async () => {
    const id = await insertProject(store())
    const { own, central } = await starterSections(store().db, { id, settings: {} }, '/a')
    expect([own, central]).toEqual([[], []])
  })

  it('are first those that a model wrote for the sections', async () => {
    const { id, ask } = await world('scripted')
    const [text] = sectionTexts(deploy).filter((section) => section?.headings.includes('Configure the proxy'))
    await store().transaction((tx) =>
      writeRowsOfQuestions(tx, id, 'scripted', [
        { hash: text?.hash ?? '', questions: ['Which proxy step matters?'], context: '' },
      ]),
    )
    expect((await ask('/guides/deploy'))[0]).toBe('Which proxy step matters?')
  })
})
