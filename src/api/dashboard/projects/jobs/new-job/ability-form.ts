import { html } from 'hono/html'
import type { Ability, AbilityField } from '../../../../../integrations/models/ability.ts'
import { hasUnstorable } from '../../../../../lib/text/plain-text.ts'
import type { Html } from '../../../../frame/html/html.ts'

const longest = { text: 1000, lines: 18_000 }

/** The values of a form's fields that are not empty. */
export function readValues({ fields }: Ability, query: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap(({ name, kind }) => {
      const value = (query.get(name) ?? '').replaceAll('\r\n', '\n').trim()
      const most = kind === 'lines' ? longest.lines : longest.text
      return value === '' || hasUnstorable(value) ? [] : [[name, value.slice(0, most)]]
    }),
  )
}

/** The fields that are still empty or do not look as they must. */
export function missingFields({ fields }: Ability, values: Record<string, string>): AbilityField[] {
  return fields.filter(({ name, isOptional, pattern }) => {
    const value = values[name]
    if (value === undefined) return !isOptional
    return (
      value.length <= longest.text &&
      pattern !== undefined &&
      !new RegExp(`^(?:${pattern})$`, 'v').test(value)
    )
  })
}

/** A form that makes a sentence of its fields. It is sent as a GET, so that it changes nothing. */
export function abilityForm(
  action: string,
  { name, title, description, fields }: Ability,
  values: Record<string, string>,
): Html {
  return html`<form id="ability" method="get" action="${action}" class="stack card" data-compose>
    <h2>${title}</h2>
    <p class="muted">${description}</p>
    <input type="hidden" name="ability" value="${name}" />
    ${fields.map((field) => fieldView(field, values[field.name]))}
    <button>Create prompt</button>
  </form>`
}

function fieldView(field: AbilityField, value = ''): Html {
  const { name, label, kind, isOptional, example, pattern, choices } = field
  const id = `field-${name}`
  const title = html`<label for="${id}"
    >${label}${isOptional && kind !== 'choice' ? html` <span class="muted">(optional)</span>` : ''}</label
  >`
  const required = isOptional ? '' : html` required`
  if (kind === 'choice')
    return html`${title}<select id="${id}" name="${name}">
        ${(choices ?? []).map((one) => html`<option value="${one.value}" ${one.value === value ? html` selected` : ''}>${one.label}</option>`)}
      </select>`
  if (kind === 'lines')
    return html`${title}<textarea id="${id}" name="${name}" rows="5" maxlength="${longest.lines}" ${required}>
${value}</textarea>`
  return html`${title}<input
      id="${id}"
      name="${name}"
      value="${value}"
      maxlength="${longest.text}"
      ${kind === 'page' || kind === 'place' ? html` list="pages"` : ''}
      ${example === undefined ? '' : html` placeholder="${example}"`}
      ${pattern === undefined ? '' : html` pattern="${pattern}"`}
      autocomplete="off"
      spellcheck="false"
      ${required}
    />`
}
