import { html } from 'hono/html'
import type { Project } from '../../features/projects/projects.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import type { OfferedModel, OfferedModels } from '../../integrations/models/offered-model.ts'
import { counted } from '../../lib/text/counted.ts'
import { csrfField, textField } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { sentence, table } from '../../api/frame/html/parts.ts'

export type Offer = Awaited<ReturnType<OfferedModels>>

/** A field for the name of a model, which proposes those that the server offers, with their prices. */
export function modelField(
  field: { name: string; label: string; value: string | null; standard: string },
  { models }: Offer,
): Html {
  const { name, label, value, standard } = field
  const list = `${name}-offer`
  const chosen = value ?? standard
  const known = models.find((model) => model.name === chosen)
  return html`<div class="model-field">
    ${textField({ name, label, value, placeholder: `${standard} (the server’s own)`, maximum: 200, list })}
    <datalist id="${list}">
      ${models.map((model) => html`<option value="${model.name}">${priceText(model)}</option>`)}
    </datalist>
    <p class="explain">
      ${value === null ? html`The server’s own is used: <code>${standard}</code>.` : ''}
      ${chosen === 'builtin' ? 'The built-in model costs nothing. It knows a fixed list of requests and quotes the pages; it writes no text of its own.' : known === undefined ? 'This model is not on the list below, so its price is not known.' : `${priceText(known)}.`}
    </p>
  </div>`
}

/** The models to choose from, and a form that tries one. */
export function modelsSection(
  project: Project,
  session: Session,
  {
    name,
    offer: { models, problems },
    tried,
    inUse,
  }: {
    name: 'agent' | 'assistant'
    offer: Offer
    tried: { model: string; outcome: string; works: boolean } | undefined
    inUse: string
  },
): Html {
  return html`<section id="models">
    <h2>Try a model</h2>
    <p class="muted">
      Sends one small request with a tool call to check that the model works. The cost is negligible.
    </p>
    <form method="post" action="/projects/${project.domain}/settings/test-model" class="inline-form">
      ${csrfField(session)}<input type="hidden" name="group" value="${name}" />
      ${textField({ name: 'model', label: 'Model', value: tried?.model ?? inUse, maximum: 200, required: true, list: 'offered' }, 'try-')}
      <datalist id="offered">
        ${models.map((model) => html`<option value="${model.name}">${priceText(model)}</option>`)}
      </datalist>
      <button>Test</button>
    </form>
    ${
      tried === undefined
        ? ''
        : html`<p class="${tried.works ? 'notice' : 'failure'}" role="status">
            <strong>${tried.works ? 'It works.' : 'Test failed.'}</strong>
            ${sentence(tried.outcome)}
          </p>`
    }
    <details class="create" data-key="models">
      <summary>${counted(models.length, 'model')} to choose from, with prices</summary>
      ${problems.length === 0 ? '' : html`<p class="notice warning">${problems.join('. ')}. Models with a known price are listed instead.</p>`}
      ${table(
        'Models',
        ['Model', 'In', 'Out', 'Context window'],
        models.map(
          ({ name, price, context }) =>
            html`<tr>
              <td><code>${name}</code></td>
              <td>${price === undefined ? 'not known' : dollars(price.input)}</td>
              <td>${price === undefined ? 'not known' : dollars(price.output)}</td>
              <td>${context === undefined ? 'not known' : `${context.toLocaleString('en')} tokens`}</td>
            </tr>`,
        ),
      )}
      <p class="explain">
        USD per million tokens, from a list that comes with this version. Your contract may differ.
      </p>
    </details>
    ${
      models.length > 1
        ? ''
        : html`<p class="muted">
            Only the built-in model is set up. To choose others, give the server the key of a provider, such
            as
            <code>ANTHROPIC_API_KEY</code> or <code>OPENAI_API_KEY</code>, or the URL of a server of your own
            in <code>OPENAI_COMPATIBLE_BASE_URL</code>, and start it again.
          </p>`
    }
  </section>`
}

function priceText({ name, price }: OfferedModel): string {
  if (name === 'builtin') return 'Free'
  if (price === undefined) return 'Its price is not known'
  if (price.input === 0 && price.output === 0) return 'Runs on your own machine'
  return `${dollars(price.input)} in, ${dollars(price.output)} out, per million tokens`
}

function dollars(amount: number): string {
  return `$${amount.toLocaleString('en', { maximumFractionDigits: 3 })}`
}
