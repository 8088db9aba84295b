import { html } from 'hono/html'
import type { LimitUseNow } from '../usage/table.ts'
import type { ModelUsageSum } from '../usage/table.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { table } from '../../api/frame/html/parts.ts'
import { meterBar } from '../../api/frame/html/progress.ts'

export const usageDays = 30

const surfaces = { agent: 'Jobs', assistant: 'Assistant', enrichment: 'Semantic search' }

const windows = { hour: 'in the last hour', day: 'today', month: 'this month' }

/** How much of each limit is used now. */
export function limitsSection(uses: readonly LimitUseNow[]): Html {
  return html`<section>
    <h2>Current usage</h2>
    <div class="meters">
      ${uses.map(({ label, used, most, unit, window }) => {
        const inUnit = (amount: number): string =>
          unit === 'dollars' ? `$${amount.toFixed(2)}` : amount.toLocaleString('en')
        const name = `${label} ${windows[window]}`
        return most === undefined
          ? html`<div class="meter">
              <p><span>${name}</span> <span class="muted">${inUnit(used)}, no limit</span></p>
            </div>`
          : meterBar(name, used, most, `${inUnit(used)} of ${inUnit(most)}`)
      })}
    </div>
  </section>`
}

export function usageSection(usage: readonly ModelUsageSum[]): Html {
  const count = (value: number): string => value.toLocaleString('en')
  return html`<section>
    <h2>Usage, last ${usageDays} days</h2>
    ${
      usage.length === 0
        ? html`<p class="empty">No usage yet.</p>`
        : table(
            'Usage',
            ['For', 'Model', 'Calls', 'Tokens in', 'of them cached', 'Tokens out', 'USD'],
            usage.map(
              (sum) =>
                html`<tr>
                  <td>${surfaces[sum.surface]}</td>
                  <td>${sum.model}</td>
                  <td>${count(sum.calls)}</td>
                  <td>${count(sum.inputTokens)}</td>
                  <td>${count(sum.cachedInputTokens)}</td>
                  <td>${count(sum.outputTokens)}</td>
                  <td>${sum.cost === undefined ? 'unknown' : sum.cost.toFixed(4)}</td>
                </tr>`,
            ),
          )
    }
  </section>`
}
