import { html } from 'hono/html'
import type { Analytics } from '../../../features/assistant/insights/analytics.ts'
import type { RecentAnalytics } from '../../../features/assistant/insights/recent-analytics.ts'
import type { Endpoint } from '../../../api/endpoint.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { table } from '../../../api/frame/html/parts.ts'
import type { Pages } from '../../../api/frame/pages.ts'
import { baseOf, showAssistant } from '../../../api/frame/assistant-tab.ts'
import { callerChart, modelChart, outcomeChart, ratingChart, searchChart } from './usage-charts.ts'
import { periodForm, readPeriod } from './period-form.ts'
import { dollars, seconds, whole } from './answer-words.ts'

interface Ports {
  analytics: RecentAnalytics
}

export function showUseEndpoint(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage('/projects/{domain}/assistant/use', 'getInsights', async (visit) => {
    const { context, project } = visit
    const period = readPeriod(context)
    const { interval, range } = period
    const analytics = await ports.analytics.read(project.id, { range, interval })
    const { series } = analytics
    const path = `${baseOf(project)}/use`
    const download = new URLSearchParams({
      from: range.from.toISOString(),
      to: range.to.toISOString(),
      interval,
      format: 'csv',
    })
    const body = html`<div class="heading">
        <h1>Usage</h1>
        <a class="button" href="/v2/insights/${project.id}?${download.toString()}" download
          >Download as CSV</a
        >
      </div>
      ${periodForm(path, period)}
      <div class="charts">
        ${outcomeChart(series, interval)} ${ratingChart(series, interval)} ${searchChart(series, interval)}
        ${callerChart(series, interval)} ${modelChart(analytics, interval, 'calls')}
        ${modelChart(analytics, interval, 'tokens')} ${modelChart(analytics, interval, 'cost')}
      </div>
      ${models(analytics)} ${citedPages(analytics)}
      <p class="muted">Dates are in UTC. Data is up to one minute old.</p>`
    return showAssistant({ ...visit, part: '/use', title: 'Usage' }, body)
  })
}

function models({ models: answered, usage }: Analytics): Html {
  if (usage.length === 0) return html``
  const times = new Map(answered.map((one) => [one.model, one]))
  return html`<section>
    <h2>Models</h2>
    ${table(
      'Models',
      ['Model', 'Answers', 'Median (p50)', 'p95', 'Calls', 'Tokens read', 'Tokens written', 'Cost'],
      usage.map(({ model, calls, inputTokens, outputTokens, cost }) => {
        const { answers = 0, p50 = null, p95 = null } = times.get(model) ?? {}
        return html`<tr>
          <td><code>${model}</code></td>
          <td class="counts">${whole(answers)}</td>
          <td class="counts">${seconds(p50)}</td>
          <td class="counts">${seconds(p95)}</td>
          <td class="counts">${whole(calls)}</td>
          <td class="counts">${whole(inputTokens)}</td>
          <td class="counts">${whole(outputTokens)}</td>
          <td class="counts">${dollars(cost)}</td>
        </tr>`
      }),
      'figures',
    )}
  </section>`
}

function citedPages({ pages: cited, askedOn }: Analytics): Html {
  if (cited.length === 0 && askedOn.length === 0) return html``
  return html`<div class="pair">
    <section>
      <h2>Pages that answers cite</h2>
      ${
        cited.length === 0
          ? html`<p class="empty">No answer cited a page in this time.</p>`
          : table(
              'Pages that answers cite',
              ['Page', 'Citations'],
              cited.map(
                ({ path, title, citations }) =>
                  html`<tr>
                    <td class="wide">${title} <small class="muted">${path}</small></td>
                    <td class="counts">${whole(citations)}</td>
                  </tr>`,
              ),
            )
      }
    </section>
    <section>
      <h2>Pages that people asked on</h2>
      ${
        askedOn.length === 0
          ? html`<p class="empty">No client said on which page its reader was.</p>`
          : table(
              'Pages that people asked on',
              ['Page', 'Questions'],
              askedOn.map(
                ({ page, questions }) =>
                  html`<tr>
                    <td class="wide path">${page}</td>
                    <td class="counts">${whole(questions)}</td>
                  </tr>`,
              ),
            )
      }
    </section>
  </div>`
}
