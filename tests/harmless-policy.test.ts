import { describe, expect, it } from 'vitest'
import { checkChanges } from '../src/features/agent/policy/check-changes.ts'
import { openBaseSite } from '../src/features/agent/policy/base-site.ts'
import { checkContent } from '../src/features/agent/policy/check-content.ts'
import type { HarmlessCase } from './adversarial/harmless-case.ts'
import { harmlessCode } from './adversarial/harmless-code.ts'
import { harmlessData } from './adversarial/harmless-data.ts'
import { harmlessDocusaurusChanges } from './adversarial/harmless-docusaurus-changes.ts'
import { harmlessDocusaurus } from './adversarial/harmless-docusaurus.ts'
import { harmlessForms } from './adversarial/harmless-forms.ts'
import { harmlessGithub } from './adversarial/harmless-github.ts'
import { harmlessLanguages } from './adversarial/harmless-languages.ts'
import { harmlessMintlifyChanges } from './adversarial/harmless-mintlify-changes.ts'
import { harmlessMintlify } from './adversarial/harmless-mintlify.ts'
import { harmlessMkdocsChanges } from './adversarial/harmless-mkdocs-changes.ts'
import { harmlessMkdocs } from './adversarial/harmless-mkdocs.ts'
import { harmlessOtherMarkup } from './adversarial/harmless-other-markup.ts'
import { harmlessReuse } from './adversarial/harmless-reuse.ts'
import { harmlessStarlightChanges } from './adversarial/harmless-starlight-changes.ts'
import { harmlessStarlight } from './adversarial/harmless-starlight.ts'
import { harmlessVitepress } from './adversarial/harmless-vitepress.ts'
import { harmlessWanted } from './adversarial/harmless-wanted.ts'
import { openTree } from './agent/open-tree.ts'

// What honest writers do to honest sites: what the policy refuses of it is a false alarm.

const groups: Readonly<Record<string, readonly HarmlessCase[]>> = {
  'new pages of Mintlify': harmlessMintlify,
  'changes of Mintlify, and pages with what it loads': harmlessMintlifyChanges,
  'new pages of Docusaurus': harmlessDocusaurus,
  'posts and changes of Docusaurus': harmlessDocusaurusChanges,
  'new pages of MkDocs': harmlessMkdocs,
  'changes of MkDocs': harmlessMkdocsChanges,
  'pages and changes of VitePress': harmlessVitepress,
  'new pages of Starlight': harmlessStarlight,
  'changes of Starlight': harmlessStarlightChanges,
  'pages and changes on GitHub': harmlessGithub,
  'pages and changes of other generators': harmlessOtherMarkup,
  'data, navigation and APIs': harmlessData,
  'pages in many languages': harmlessLanguages,
  'pages full of code': harmlessCode,
  'pages of unusual forms': harmlessForms,
  'formulas, scripts and files of the site': harmlessReuse,
}

async function judge({ site, base, calls }: HarmlessCase) {
  const opened = await openTree(base, { root: site })
  const refused: unknown[] = []
  for (const [tool, input] of calls) {
    if (tool === 'write_file') await opened.call('read_file', { path: input['path'] })
    const { error } = await opened.call(tool, input)
    if (error !== undefined) refused.push(error)
  }
  const { configPaths, navigationFiles, openKeys } = await opened.baseView.site()
  const differences = await opened.workspace.differences()
  const baseSite = await openBaseSite(opened.workspace, opened.baseView)
  const violations = [
    ...checkChanges(differences, { root: site, configPaths, navigationFiles, openKeys }, baseSite.pages),
    ...(await checkContent(differences, baseSite)),
  ]
  return { changed: differences.map(({ path }) => path), refused: [...refused, ...violations] }
}

describe.each(Object.entries(groups))('%s are let through', (_, cases) => {
  it.each(cases.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    const { changed, refused } = await judge(one)
    expect(refused).toEqual([])
    expect(changed).not.toEqual([])
  })
})

// Whether they are let through is not asked yet.
it.each(harmlessWanted.map((one) => [one.name, one] as const))(
  'a case for later changes its site: %s',
  async (_, one) => {
    expect((await judge(one)).changed).not.toEqual([])
  },
)
