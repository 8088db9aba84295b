import { join } from 'node:path'
import { html } from 'hono/html'
import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { createDashboardWorld, type DashboardWorld } from '../../../../tests/worlds/dashboard-world.ts'
import { someone, temporaryGit } from '../../../../tests/worlds/git/temporary-git.ts'
import type { Repository } from '../../../integrations/git/git.ts'
import { writeCommit } from '../../../integrations/git/mirrors/create-repository.ts'
import { openMirror } from '../../../integrations/git/mirrors/open-mirror.ts'
import { createJob } from '../../../features/agent/create-job.ts'
import { updateJob } from '../../../features/agent/jobs.ts'
import type { Store } from '../../../store/database.ts'
import { createRowReader } from './read-rows.ts'
import type { ReviewRequest } from './review-request.ts'
import type { Reviewed, ReviewOptions } from './reviewed.ts'
import { showReview, showReviewFile } from './show-review.ts'

const odd = 'docs/odd\n<b>"\u202E.md'
const picture = (colour: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg"><rect fill="${colour}"/><script>alert(1)</script></svg>`
const long = (word: string): string => Array.from({ length: 3000 }, (_, n) => `${word} line ${n}\n`).join('')
const before = {
  'docs/guide.md': '# Guide\n\nThe old text.\n\n![Logo](logo.svg)\n',
  'docs/logo.svg': picture('red'),
  'docs/gone.md': '# Gone\n',
  'long.txt': long('old'),
}
const after = {
  'docs/guide.md': '# Guide\n\nThe new text.\n\n![Logo](logo.svg)\n',
  'docs/logo.svg': picture('blue'),
  'docs/gone.md': undefined,
  'long.txt': long('new'),
  [odd]: '# Odd\n\n<script>alert(1)</script>\n',
}

const plain: ReviewRequest = {
  view: 'rendered',
  lines: 'unified',
  file: undefined,
  from: 0,
  count: undefined,
  whole: false,
  as: undefined,
  alone: false,
  shown: undefined,
  keep: {},
}

interface World {
  dashboard: DashboardWorld
  repository: Repository
  from: string
  to: string
  /** The path of a pull request's page. */
  page: string
}

type Files = Record<string, string | undefined>

async function openWorld(
  store: Store,
  files: { before: Files; after: Files } = { before, after },
): Promise<World> {
  const { git, folder } = await temporaryGit()
  const repository = await openMirror(git, join(folder, 'docs.git'))
  const commit = async (parents: string[], changed: Files): Promise<string> => {
    const changes = Object.entries(changed).map(([path, content]) => ({
      path,
      content: content === undefined ? undefined : Buffer.from(content),
    }))
    const date = new Date(0)
    return (await writeCommit(repository, { parents, changes, message: 'm', author: someone, date })).commit
  }
  const from = await commit([], files.before)
  const to = await commit([from], files.after)
  const dashboard = await createDashboardWorld(store, { mirror: () => Promise.resolve(repository) })
  const difference = () => Promise.resolve({ repository, from, to })
  Object.assign(dashboard.ports.pullRequests, { difference })
  dashboard.pulls.push({
    number: 1,
    link: '',
    title: 'T',
    body: '',
    head: 'docwright/x',
    base: 'main',
    state: 'open',
    draft: false,
    headCommit: to,
    baseCommit: from,
    mergeCommit: undefined,
    createdAt: new Date(0),
    closedAt: undefined,
  })
  const page = `/projects/${dashboard.project.domain}/pulls/1`
  return { dashboard, repository, from, to, page }
}

/** One file of the page, which is waited for however long it takes. */
async function fileOf(
  { dashboard, page }: World,
  path: string,
  more: Record<string, string> = {},
  cookie?: string,
) {
  const search = new URLSearchParams({ file: path, alone: '1', ...more })
  return dashboard.get(`${page}?${search.toString()}`, cookie)
}

describeOnStore('the part of a page that shows a change', (store) => {
  it('shows pages before and after, images of both versions, and the source where a reader wants it', async () => {
    const world = await openWorld(store())
    const { dashboard, page } = world
    const rendered = await (await dashboard.get(page)).text()
    const guide = await (await fileOf(world, 'docs/guide.md')).text()
    expect(guide).toContain('The <del>old</del><ins>new</ins> text')
    const images = [...guide.matchAll(/src="([^"]*\/images\/[^"]*)"/g)].map(([, address]) => address ?? '')
    expect(images).toHaveLength(2)
    const shown = await Promise.all(images.map((address) => dashboard.get(address)))
    expect(await Promise.all(shown.map((image) => image.text()))).toEqual([picture('red'), picture('blue')])
    expect(shown[0]?.headers.get('content-type')).toBe('image/svg+xml')
    expect(shown[0]?.headers.get('content-security-policy')).toContain('sandbox')
    const others = await Promise.all(
      ['docs/gone.md', odd].map(async (path) => (await fileOf(world, path)).text()),
    )
    expect(others[0]).toMatch(/Deleted[^]*Removed[^]*Gone/)
    expect(`${rendered}${others.join('')}`).not.toMatch(/<script>alert/)
    expect(rendered).toContain('odd⟨U+000A⟩&lt;b&gt;&quot;⟨U+202E⟩.md')

    const answer = await fileOf(world, 'docs/guide.md', { view: 'source', lines: 'split' })
    expect(await answer.text()).toMatch(/review-source split[^]*The [^]*<ins>new<\/ins>/)
    const cookie = answer.headers.get('set-cookie') ?? ''
    expect(cookie).toContain('docwright_review=source.split')
    const remembered = `${dashboard.cookie}; docwright_review=source.split`
    expect(await (await fileOf(world, 'docs/guide.md', {}, remembered)).text()).toContain('source split')
  })

  it('shows pages in reStructuredText and AsciiDoc as their sites do, at the lines of their files', async () => {
    const sphinx = await openWorld(store(), {
      before: {
        'docs/conf.py': 'extensions = []\n',
        'docs/index.rst': 'Start\n=====\n\n.. toctree::\n\n   setup\n   guide\n',
        'docs/setup.rst': 'Set it up\n=========\n\nText.\n',
        'docs/part.txt': 'From a *file*.\n',
        'docs/guide.rst':
          'Guide\n=====\n\n.. note::\n\n   Read :doc:`setup` and the ``old`` value.\n\n.. include:: part.txt\n\nThe end.\n',
      },
      after: {
        'docs/guide.rst':
          'Guide\n=====\n\n.. note::\n\n   Read :doc:`setup` and the ``new`` value.\n\n.. include:: part.txt\n\nThe very end.\n',
      },
    })
    const guide = await (await fileOf(sphinx, 'docs/guide.rst', { whole: '1' })).text()
    expect(guide).toMatch(/class="note[^]*Set it up[^]*<code><del>old<\/del><ins>new<\/ins><\/code>/)
    expect(guide).toContain('The <ins>very</ins> end.')
    expect(guide).toContain('From a <em>file</em>.')
    expect(guide).toMatch(/data-side="new"\s+data-line="8"[^]*From a <em>file/)
    expect(guide).toMatch(/data-side="new"\s+data-line="10"\s+data-end="10"/)
    expect(guide).not.toContain('Can’t render a preview')

    const antora = await openWorld(store(), {
      before: {
        'antora.yml': 'name: shop\nversion: ~\nnav:\n- modules/ROOT/nav.adoc\n',
        'modules/ROOT/nav.adoc': '* xref:index.adoc[]\n* xref:guide.adoc[]\n',
        'modules/ROOT/pages/index.adoc': '= Start here\n\nText.\n',
        'modules/ROOT/pages/guide.adoc': '= Guide\n\nNOTE: See xref:index.adoc[] for the *old* way.\n',
      },
      after: {
        'modules/ROOT/pages/guide.adoc': '= Guide\n\nNOTE: See xref:index.adoc[] for the *new* way.\n',
      },
    })
    const page = await (await fileOf(antora, 'modules/ROOT/pages/guide.adoc')).text()
    expect(page).toMatch(/class="note[^]*Start here[^]*<strong><del>old<\/del><ins>new<\/ins><\/strong> way/)
  })

  it('shows a long file in parts, each at an address of its own', async () => {
    const world = await openWorld(store())
    const first = await (await fileOf(world, 'long.txt')).text()
    expect(first.match(/data-line=/g)).toHaveLength(1000)
    const next = /data-review="more"\s+href="([^"]*)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const alone = await (await world.dashboard.get(`${next.split('#')[0]}&alone=1`)).text()
    expect(alone).toContain('old line 1000<')
    expect(alone.match(/data-line=/g)).toHaveLength(1000)
    expect(alone.match(/<section/g)).toHaveLength(1)
    const part = /data-part="([^"]*from=1100[^"]*)"/.exec(alone)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const renewed = await (await world.dashboard.get(`${part.split('#')[0]}&alone=1`)).text()
    expect(renewed).toContain('old line 1100<')
    expect(renewed.match(/data-line=/g)).toHaveLength(100)
  })

  it('shows no images of the repository to somebody who only has the link', async () => {
    const world = await openWorld(store())
    const { dashboard } = world
    const shown = await (await fileOf(world, 'docs/guide.md', { token: 'token-1' }, '')).text()
    expect(shown).toContain('Image: Logo')
    expect(shown).not.toContain('/images/')
    expect(shown).toContain('token=token-1&amp;')
    const image = await dashboard.get(`/projects/${dashboard.project.domain}/images/${'a'.repeat(40)}`, '')
    expect(image.status).toBe(303)
  })

  it('shows what a turn under way has changed so far', async () => {
    const { dashboard, from } = await openWorld(store())
    const { ports, project } = dashboard
    const { id } = await createJob(ports, project, { prompt: 'Change it' }, () => Promise.resolve())
    const page = `/projects/${project.domain}/jobs/${id}`
    expect(await (await dashboard.get(page)).text()).not.toContain('review-list')
    const turn = await store()
      .db.updateTable('turns')
      .set({ status: 'running', start_commit: from, base_commit: from })
      .where('job_id', '=', id)
      .returning('id')
      .executeTakeFirstOrThrow()
    const content = Buffer.from('# Guide\n\nThe written text.\n')
    await store()
      .db.insertInto('overlay_files')
      .values({ turn_id: turn.id, path: 'docs/guide.md', content })
      .execute()
    await store().transaction((tx) => updateJob(tx, id))
    const shown = await (await dashboard.get(`${page}?file=docs%2Fguide.md&alone=1`)).text()
    expect(shown).toMatch(/<del>old<\/del>[^]*<ins>written<\/ins>/)
  })

  it('prints what others have to say at their lines and blocks', async () => {
    const { dashboard, repository, from, to, page } = await openWorld(store())
    const check = { check: 'links', severity: 'error', message: 'No <page>', hint: null } as const
    const reviewed: Reviewed = {
      project: dashboard.project,
      repository,
      from,
      to,
      page,
      images: true,
      kept: new Set(),
      checks: [
        { ...check, path: 'docs/guide.md', line: 3 },
        { ...check, path: 'docs/guide.md', line: 99 },
      ],
      reasons: new Map([
        ['docs/guide.md', { path: 'docs/guide.md', reason: 'It was <old>', sources: ['src/a.ts:3'] }],
      ]),
    }
    const options: ReviewOptions = {
      commentsAt: ({ path, side, line }) =>
        path === 'docs/guide.md' && side === 'new' && line === 3 ? html`<p>A comment</p>` : undefined,
      lineLink: ({ side, line }) => `#comment-${side}-${line}`,
      viewed: new Set(['docs/logo.svg']),
      fileTools: (path) => html`<input aria-label="Viewed ${path}" type="checkbox" />`,
    }
    const ports = { readRows: createRowReader(), pagesOf: dashboard.ports.pagesOf }
    const request = plain
    for (const view of ['rendered', 'source'] as const) {
      const show = async (file: string): Promise<string> =>
        (await showReviewFile(ports, reviewed, { ...request, view, file }, options)).toString()
      const guide = await show('docs/guide.md')
      expect(guide).toMatch(/Why:[^]*It was &lt;old&gt;[^]*src\/a\.ts:3/)
      // The problem at a line that is not shown stands above.
      expect(guide).toMatch(/line 99:[^]*<details[^]*No &lt;page&gt;[^]*A comment/)
      expect(guide).toContain('href="#comment-new-3"')
      expect(guide).toContain('Viewed docs/guide.md')
      expect(guide).toContain('data-change')
    }
    const all = (await showReview(ports, reviewed, request, options)).toString()
    expect(all).toMatch(/data-path="docs\/logo\.svg"[^>]*data-viewed[^]*<details\s+data-key[^]*Show changes/)

    // A browser that shows it already gets only what is another than before.
    const shown = new Set([...all.matchAll(/data-shown="(\w+)"/g)].map(([, name = '']) => name))
    const again = { ...request, shown }
    const same = (await showReview(ports, reviewed, again, options)).toString()
    expect(same.match(/<section id="file-\w+" data-same><\/section>/g)).toHaveLength(5)
    expect(same).not.toContain('class="review-file"')
    const viewed = new Set(['docs/guide.md', 'docs/logo.svg'])
    const changed = (await showReview(ports, reviewed, again, { ...options, viewed })).toString()
    expect([...changed.matchAll(/<section[^>]*data-path="([^"]*)"/g)].map(([, path]) => path)).toEqual([
      'docs/guide.md',
    ])
    expect(changed.match(/class="review-entry/g)).toHaveLength(1)
    expect(changed).toContain('class="review-entry viewed"')
  })

  it('compares a page once more only when what it shows may be another one', async () => {
    const { dashboard, repository, from, to, page } = await openWorld(store())
    const { project } = dashboard
    let compared = 0
    const pagesOf: typeof dashboard.ports.pagesOf = (...asked) => {
      compared += 1
      return dashboard.ports.pagesOf(...asked)
    }
    const ports = { readRows: createRowReader(), pagesOf }
    const none = { checks: [], reasons: new Map(), kept: new Set<string>(), images: true }
    const request = { ...plain, file: 'docs/guide.md' }
    const times = async (path: string, content: string): Promise<number> => {
      const change = { path, content: Buffer.from(content) }
      const commit = { changes: [change], message: 'm', author: someone, date: new Date(0) }
      const { commit: next } = await writeCommit(repository, { ...commit, parents: [to] })
      await showReviewFile(ports, { project, repository, from, to: next, page, ...none }, request)
      return compared
    }
    expect(await times('long.txt', 'another text')).toBe(1)
    expect(await times('docs/other.md', '# Other')).toBe(1)
    expect(await times('docs/logo.svg', picture('green'))).toBe(2)
  })
})
