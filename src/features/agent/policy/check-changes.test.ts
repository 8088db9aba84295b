import { describe, expect, it } from 'vitest'
import { checkChanges, pathViolation, removalViolations } from './check-changes.ts'
import { newPathObjection } from '../../../site/text/repository-path.ts'

const scope = {
  root: 'docs',
  configPaths: ['mkdocs.yml', 'docs/docs.json', 'docs/config.ts', '.github/docs.json'],
}
const bytes = (text: string) => Buffer.from(text)
const codes = (change: Parameters<typeof checkChanges>[0][number]) =>
  checkChanges([change], scope).map((violation) => violation.code)

describe('the policy on a diff', () => {
  it("lets documentation and the site's own configuration through", () => {
    for (const path of [
      'docs/a.md',
      'docs/x/größe.mdx',
      'docs/odd\nname.md',
      'docs/docs.json',
      'mkdocs.yml',
      'docs/openapi.yaml',
      'docs/.pages.yml',
    ]) {
      expect([path, codes({ path, after: bytes('a: 1\n'), before: bytes('a: 2\n') })]).toEqual([path, []])
    }
    expect(codes({ path: 'docs/a.md', before: bytes('x'), after: undefined })).toEqual([])
  })

  it('lets settings of plug-ins follow a page that moves, and change in no other way', () => {
    const page = bytes('# Start\n\nOne.\n\nTwo.\n')
    const moved = [
      { path: 'docs/guide/start.md', before: page, after: undefined },
      { path: 'docs/intro/begin.md', before: undefined, after: page },
    ]
    const before =
      'plugins:\n  - search\n  - llmstxt:\n      sections:\n        Use:\n          - guide/start.md\n          - guide/more.md\n'
    const judged = (path: string, old: string, now: string) =>
      checkChanges([...moved, { path, before: bytes(old), after: bytes(now) }], {
        ...scope,
        navigationFiles: [
          { framework: 'docusaurus', path: 'docusaurus.config.js', length: config.length, regions: [] },
        ],
      }).map(({ message }) => message)
    const config = "export default {plugins: [['llms', {order: ['docs/guide/start.md', 'guide/start']}]]}\n"
    const renamed = config.replace('guide/start.md', 'intro/begin.md').replace('guide/start', 'intro/begin')
    expect(judged('mkdocs.yml', before, before.replace('guide/start', 'intro/begin'))).toEqual([])
    expect(judged('docusaurus.config.js', config, renamed)).toEqual([])
    for (const now of [
      'intro/other.md',
      'guide/start.md\n          - intro/begin.md',
      'https://evil.net/x.md',
    ])
      expect(judged('mkdocs.yml', before, before.replace('guide/start.md', now))).toHaveLength(1)
    expect(judged('mkdocs.yml', before, before.replace('search', 'evil'))).toHaveLength(1)
    expect(judged('docusaurus.config.js', config, renamed.replace('llms', 'evil'))).toHaveLength(1)
    expect(judged('docusaurus.config.js', config, config.replace('guide/start', 'evil'))).toHaveLength(1)
  })

  it.each([
    '.github/workflows/ci.yml',
    '.github/docs.json',
    'docs/.github/x.md',
    '.gitlab-ci.yml',
    'docs/.gitlab-ci.yml',
    '.gitmodules',
    'docs/.gitattributes',
    'docs/.GitIgnore',
    '.docwright/AGENTS.md',
    'docs/.docwright/x.md',
    'docs/package.json',
    'docs/package-lock.json',
    'docs/pnpm-lock.yaml',
    'docs/yarn.lock',
    'docs/poetry.lock',
    'docs/requirements.txt',
    'docs/Makefile',
    'docs/Dockerfile',
    'docs/x.sh',
    'docs/x.js',
    'docs/x.tsx',
    'docs/config.ts',
    'docs/x.html',
    'docs/x.svg',
    'docs/x.png',
    'docs/noextension',
    'docs/.vscode/settings.json',
    'docs/node_modules/x.md',
  ])('protects %s', (path) => {
    expect(codes({ path, after: bytes('x\n') })).toEqual(['protected'])
    expect(codes({ path, before: bytes('x\n') })).toEqual(['protected'])
  })

  it('keeps to the documentation folder and to paths that are what they seem', () => {
    for (const path of ['README.md', 'docs.md', 'docsx/a.md', 'Docs/a.md', 'mint.json'])
      expect([path, codes({ path, after: bytes('') })]).toEqual([path, ['outside']])
    for (const path of [
      '',
      '/docs/a.md',
      'docs/../a.md',
      'docs//a.md',
      'docs/.git/a.md',
      'docs/GIT~1/a.md',
      'docs/.git /a.md',
      'docs/a.md.',
      'docs\\a.md',
      'docs/\0.md',
      'docs/\ud800.md',
      `docs/${'a'.repeat(300)}.md`,
    ]) {
      expect([path, pathViolation(path, scope)?.code]).toEqual([path, 'path'])
    }
    expect(pathViolation('README.md', { root: '', configPaths: [] })).toBeUndefined()
  })

  it('leaves to people, in whole repositories, what steers builds, hosts and other agents', () => {
    const whole = { root: '', configPaths: [] }
    const everything = { ...whole, allows: () => true }
    for (const path of [
      '.forgejo/workflows/x.yml',
      'OWNERS',
      'x/OWNERS_ALIASES',
      'bors.toml',
      '.mergify.yml',
      'lefthook.yml',
      '.drone.jsonnet',
      'azure-pipelines-docs.yml',
      'docs/buildspec-docs.yml',
      'docs/cloudbuild.json',
      'templates/docs.gitlab-ci.yml',
      'docs/x.gocd.yaml',
      'requirements/docs.txt',
      'docs/x.tf.json',
      '.clinerules/x.md',
      '.yarnrc.yml',
      'x/.ssh/config',
      'x/.docker/config.json',
      'x/terraform.tfstate.backup',
      'x/secrets.yaml',
      'x/credentials.json',
    ])
      expect([path, pathViolation(path, everything)?.code]).toEqual([path, 'protected'])
    for (const path of [
      'Agents.md',
      'CLAUDE.MD',
      'skill.md',
      'ci/build.yml',
      'pipelines/docs.yaml',
      'k8s/x.yaml',
      'x/amplify.yml',
      'x/public/_routes.json',
      'x/_app.mdx',
      'x/Pulumi.prod.yaml',
    ])
      expect([path, pathViolation(path, whole)?.code]).toEqual([path, 'protected'])
    expect(pathViolation(['x/ghp', '_16C7e42F292c6912E7710c838347Ae178B4a.md'].join(''), whole)?.code).toBe(
      'path',
    )
    for (const path of [
      'x/agents.md',
      'x/claude.md',
      'x/skill.md',
      'security.md',
      'x/codeowners.md',
      'x/owners.md',
      'ci/jenkins.md',
      'x/workflows/a.yml',
      'x/charts/a.json',
      'x/examples/ci.yml',
      'openapi/paths/secrets.yaml',
      'x/i18n/credentials.json',
      'llms.txt',
      'x/requirements.md',
    ])
      expect([path, pathViolation(path, whole)]).toEqual([path, undefined])
  })

  it('makes no file whose name means another file, a command or many pages somewhere', () => {
    for (const path of [
      'a/AGENT\u017f.md',
      'a/\ufb01rebase.json',
      'a/\uff43i.yml',
      'a/\u212a.md',
      'a/AGENTS\u200d.md',
      'a\uff0fb.md',
      'a\u2215b.md',
      'a/GITLAB~1.YML',
      'a/AGENTS~1.MD',
      'a/$(id).md',
      'a/`id`.md',
      'a;id/b.md',
      'a&id/b.md',
      'a/%0ab.md',
      'a/%1b.md',
      '~/a.md',
      'a/[slug].md',
      'a/[...all].mdx',
    ])
      expect([path, newPathObjection(path)]).toEqual([path, expect.any(String)])
    for (const path of [
      "a/what's-new.md",
      'a/(guides)/b.mdx',
      'a/größe.md',
      'a/\u7b2c\uff11\u7ae0.md',
      'a/\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645.md',
      'a/n.º-1.md',
      'a/v1.2~beta.md',
      'a/100%25.md',
      'a/c++.md',
    ])
      expect([path, newPathObjection(path)]).toEqual([path, undefined])
  })

  it('refuses links, submodules, LFS files, executables, binaries, scripts and what is too large', () => {
    const path = 'docs/a.md'
    const pointer = bytes(
      `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 9\n`,
    )
    expect(codes({ path, before: pointer, after: bytes('x') })).toEqual(['binary'])
    expect(codes({ path, before: bytes('x'), baseMode: '160000', after: bytes('y') })).toEqual(['mode'])
    for (const mode of ['120000', '160000', '100755', '040000'])
      expect(codes({ path, after: bytes('x'), mode })).toEqual(['mode'])
    expect(codes({ path, before: bytes('x'), after: bytes('y'), mode: '100755' })).toEqual([])
    expect(codes({ path, after: new Uint8Array([65, 0]) })).toEqual(['binary'])
    expect(codes({ path, after: bytes('#!/bin/sh\n') })).toEqual(['protected'])
    expect(codes({ path, after: bytes('x'.repeat(1024 * 1024 + 1)) })).toEqual(['size'])
    const many = Array.from({ length: 2001 }, (_, index) => ({ path: `docs/${index}.md`, after: bytes('') }))
    expect(checkChanges(many, scope)).toMatchObject([{ code: 'size', path: '' }])
    const large = Array.from({ length: 20 }, (_, index) => ({
      path: `docs/${index}.md`,
      after: bytes('x'.repeat(1024 * 1024)),
    }))
    expect(checkChanges(large, scope)).toMatchObject([{ code: 'size', path: '' }])
  })

  it('lets navigation and redirects of MkDocs change, and nothing that loads or runs code', () => {
    const before = 'nav:\n  - a.md\nplugins:\n  - search\n  - redirects\nextra:\n  k: !ENV K\n'
    const judge = (after: string) => codes({ path: 'mkdocs.yml', before: bytes(before), after: bytes(after) })
    expect(judge(before.replace('a.md', 'b.md'))).toEqual([])
    expect(
      judge(before.replace('redirects\n', 'redirects:\n      redirect_maps:\n        a.md: b.md\n')),
    ).toEqual([])
    expect(judge(`site_name: New\n${before}`)).toEqual([])
    for (const after of [
      `${before}hooks: [x.py]\n`,
      `INHERIT: ../x.yml\n${before}`,
      before.replace('- search', '- search\n  - macros'),
      before.replace('redirects\n', 'redirects:\n      redirect_maps:\n        a.md: b.md\n      other: 1\n'),
      before.replace('a.md', '!!python/object/apply:os.system [id]'),
      before.replace('!ENV K', '!ENV SECRET\nmore: !ENV K'),
      `${before}"plugins": [macros]\n`,
      'nav: [',
    ]) {
      expect([after, judge(after)]).toEqual([after, ['protected']])
    }
  })
})

describe('deleting pages of a small site', () => {
  const page = (n: number) => ({
    path: `docs/page-${n}.md`,
    before: Buffer.from(`# Page ${n}\n\nText of page ${n}.\n`),
    after: undefined,
    mode: undefined,
    baseMode: '100644',
  })
  const violations = (count: number, request = '') =>
    removalViolations(
      Array.from({ length: count }, (_, index) => page(index)),
      6,
      { request },
    )

  it('is refused for most of them, unless the request asks for it', () => {
    expect(violations(3)).toEqual([])
    expect(violations(4)).toMatchObject([
      { code: 'removal', message: expect.stringContaining('4 pages would be deleted') },
    ])
    expect(violations(4, 'Tidy up the docs')).toHaveLength(1)
    expect(violations(6, 'Delete all pages')).toEqual([])
    expect(violations(4, 'Delete the pages page-0 and page-1')).toEqual([])
    expect(violations(6, 'Delete the pages page-0 and page-1')).toHaveLength(1)
  })
})
