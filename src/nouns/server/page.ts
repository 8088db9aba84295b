import { basename } from 'node:path'
import { bytesText } from '../../lib/text/bytes-text.ts'
import { html } from 'hono/html'
import { adviceFor, type ServerHealth } from '../../features/server/health.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { ago, badge, sentence, table } from '../../api/frame/html/parts.ts'
import { meterBar } from '../../api/frame/html/progress.ts'
import { show } from '../../api/frame/html/respond.ts'
import type { Pages } from '../../api/frame/pages.ts'

interface Ports {
  now(): Date
  health(): Promise<ServerHealth>
}

/** How the server is, for the person who runs it. */
export function showServerEndpoint(pages: Pages, ports: Ports): Endpoint {
  return pages.page('/server', 'getServer', async ({ context, session }) => {
    const health = await ports.health()
    const now = ports.now()
    const advice = adviceFor(health, now)
    const body = html`<div class="heading">
        <h1>Server</h1>
        <p class="muted">Docwright ${health.version}, started ${ago(health.startedAt, now)}</p>
      </div>
      ${
        advice.length === 0
          ? html`<p class="all-well"><strong>No problems detected.</strong></p>`
          : html`<section class="advice" aria-labelledby="advice">
              <h2 id="advice">Needs attention</h2>
              <ul>
                ${advice.map(
                  ({ what, remedy }) => html`<li><strong>${sentence(what)}</strong> ${remedy}</li>`,
                )}
              </ul>
            </section>`
      }
      <div class="health">${queueCard(health, now)} ${diskCard(health)} ${databaseCard(health)}</div>
      ${processes(health, now)} ${hosts(health, now)} ${models(health)}`
    return show(context, { title: 'Server', session, styles: ['manage.css'], live: true }, body)
  })
}

function card(
  title: string,
  facts: readonly (readonly [string, Html | string])[],
  more: Html = html``,
): Html {
  return html`<section class="card">
    <h2>${title}</h2>
    ${more}
    <dl class="facts">
      ${facts.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
  </section>`
}

function queueCard({ queue }: ServerHealth, now: Date): Html {
  const { waiting, running, oldest, parked, syncs } = queue
  return card('Queue', [
    ['Queued prompts', waiting.toLocaleString('en')],
    ['Oldest in queue', oldest === undefined ? 'nothing waits' : html`since ${ago(oldest, now)}`],
    ['Running', running.toLocaleString('en')],
    ...parked.map(({ of, count }) => [`Waiting for a ${of}`, count.toLocaleString('en')] as const),
    ['Repositories to sync', syncs.toLocaleString('en')],
  ])
}

function diskCard({ disk, mirrors, memory }: ServerHealth): Html {
  const used = memory.machine - memory.machineFree
  return card(
    'Machine',
    [
      [
        'Free on the disk of the data folder',
        `${bytesText(disk.free)}; work waits below ${bytesText(disk.leastFree)}`,
      ],
      [
        'Mirrors',
        `${mirrors.count.toLocaleString('en')}, ${bytesText(mirrors.bytes)}${mirrors.most === undefined ? '' : ` of at most ${bytesText(mirrors.most)}`}`,
      ],
      ['This process', `${bytesText(memory.process)}, of it ${bytesText(memory.heap)} JavaScript`],
    ],
    meterBar(
      'Memory of the machine',
      used,
      memory.machine,
      `${bytesText(used)} of ${bytesText(memory.machine)}`,
    ),
  )
}

function databaseCard({ database }: ServerHealth): Html {
  return card('Database', [
    ['Kind', database.engine === 'pglite' ? 'embedded (PGlite)' : 'PostgreSQL'],
    ['Latency', `${database.milliseconds.toFixed(1)} ms`],
    ['Size', database.bytes === undefined ? 'not known' : bytesText(database.bytes)],
    ['Rows', `about ${database.rows.toLocaleString('en')}`],
    ...(database.wait === undefined ? [] : [['Wait (p95)', `${database.wait.toFixed(1)} ms`] as const]),
  ])
}

function processes({ processes: all }: ServerHealth, now: Date): Html {
  return html`<section>
    <h2>Servers and workers</h2>
    ${table(
      'Servers and workers',
      ['Process', 'State', 'Version', 'Memory', 'Free disk', 'Started', 'Seen'],
      all.map(
        (one) =>
          html`<tr>
            <td>${one.kind === 'serve' ? 'Server' : 'Worker'} ${one.pid} on ${one.host}</td>
            <td>
              ${one.isAlive ? (one.trouble === undefined ? badge('ready', 'Healthy') : badge('failed', 'Degraded')) : badge('failed', 'Unreachable')}
            </td>
            <td>${one.version}</td>
            <td>${bytesText(one.memory)}</td>
            <td>${bytesText(one.freeBytes)}</td>
            <td>${ago(one.startedAt, now)}</td>
            <td>${ago(one.seenAt, now)}</td>
          </tr>`,
      ),
    )}
  </section>`
}

function hosts({ hosts: all }: ServerHealth, now: Date): Html {
  return html`<section>
    <h2>Repositories and their hosts</h2>
    ${
      all.length === 0
        ? html`<p class="empty">There is no project yet. <a href="/add-project">Add one</a>.</p>`
        : table(
            'Repositories and their hosts',
            ['Project', 'Host', 'Last sync', 'Host called', 'State'],
            all.map(
              ({ domain, kind, site, readAt, calledAt, error }) =>
                html`<tr>
                  <td><a href="/projects/${domain}">${domain}</a></td>
                  <td class="wide">
                    ${kind}, <span class="path">${kind === 'folder' ? basename(site) : site}</span>
                  </td>
                  <td>${readAt ? ago(readAt, now) : 'never'}</td>
                  <td>
                    ${kind === 'folder' ? html`<span class="muted">–</span>` : calledAt ? ago(calledAt, now) : 'never'}
                  </td>
                  <td>
                    ${error === undefined ? badge('ready', 'well') : html`${badge('failed')} <span class="muted">${error}</span>`}
                  </td>
                </tr>`,
            ),
          )
    }
  </section>`
}

function models({ models: all }: ServerHealth): Html {
  return html`<section>
    <h2>Models</h2>
    ${table(
      'Models',
      ['Set by', 'Model', 'State'],
      all.map(
        ({ variable, name, problem }) =>
          html`<tr>
            <td><code>${variable}</code></td>
            <td><code>${name}</code></td>
            <td>${problem === undefined ? badge('ready', 'set up') : html`${badge('failed')} ${problem}`}</td>
          </tr>`,
      ),
    )}
    <p class="muted">The settings of a project have a button that tries a model.</p>
  </section>`
}
