import { html } from 'hono/html'
import type { ModelUsageSum } from '../../../../features/projects/usage.ts'
import type { Html } from '../../html/html.ts'

export function usageTable(usage: readonly ModelUsageSum[]): Html {
  const count = (value: number): string => value.toLocaleString('en-US')
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Usage">
    <table>
      <thead>
        <tr>
          <th>For</th>
          <th>Model</th>
          <th>Calls</th>
          <th>Tokens in</th>
          <th>of them cached</th>
          <th>Tokens out</th>
          <th>US dollars</th>
        </tr>
      </thead>
      <tbody>
        ${usage.map(
          (sum) =>
            html`<tr>
              <td>${sum.surface === 'agent' ? 'Jobs' : 'Assistant'}</td>
              <td>${sum.model}</td>
              <td>${count(sum.calls)}</td>
              <td>${count(sum.inputTokens)}</td>
              <td>${count(sum.cachedInputTokens)}</td>
              <td>${count(sum.outputTokens)}</td>
              <td>${sum.cost === undefined ? 'unknown' : sum.cost.toFixed(4)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}
