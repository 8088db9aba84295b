import { element, icon, setAttribute } from '../dom.ts'
import type { Exchange, Reason } from '../talk/exchange.ts'
import type { Texts } from '../texts/en.ts'

export type Rate = (
  exchange: Exchange,
  rating: 'up' | 'down' | undefined,
  why?: { reason?: Reason; note?: string },
) => Promise<void>

const reasons: readonly Reason[] = ['incorrect', 'incomplete', 'outdated', 'irrelevant', 'unclear', 'other']

/** Thumbs, and a form that asks what was wrong. */
export function createFeedbackView(
  texts: Texts,
  exchange: Exchange,
  rate: Rate,
): { buttons: HTMLElement; form: HTMLElement; update(possible: boolean): void } {
  let asksWhy = false
  const said = element('span', { class: 'said', role: 'status' })
  const press = (rating: 'up' | 'down'): void => {
    const next = exchange.rating === rating ? undefined : rating
    asksWhy = next === 'down'
    said.textContent = ''
    rate(exchange, next).then(
      () => {
        said.textContent = next === 'up' ? texts.thanks : ''
        if (next !== 'down') return
        form.querySelector<HTMLElement>('input')?.focus()
        // All of it: the focus alone brings only its first line into sight.
        form.scrollIntoView({ block: 'nearest' })
      },
      () => {
        asksWhy = false
        said.textContent = texts.failed
        update(true)
      },
    )
  }
  const thumb = (rating: 'up' | 'down', label: string): HTMLButtonElement =>
    element(
      'button',
      { type: 'button', class: 'thumb', 'aria-label': label, title: label, click: () => press(rating) },
      icon(rating),
    )
  const [up, down] = [thumb('up', texts.good), thumb('down', texts.bad)]
  const form = formOf(texts, `why-${exchange.id}`, (reason, note) => {
    asksWhy = false
    rate(exchange, 'down', { ...(reason && { reason }), ...(note !== '' && { note }) }).then(
      () => {
        said.textContent = texts.thanks
      },
      () => {
        said.textContent = texts.failed
      },
    )
    update(true)
    down.focus()
  })
  const update = (possible: boolean): void => {
    up.hidden = down.hidden = !possible
    setAttribute(up, 'aria-pressed', String(exchange.rating === 'up'))
    setAttribute(down, 'aria-pressed', String(exchange.rating === 'down'))
    form.hidden = !(possible && asksWhy && exchange.rating === 'down')
  }
  return { buttons: element('div', { class: 'thumbs' }, up, down, said), form, update }
}

function formOf(
  texts: Texts,
  name: string,
  send: (reason: Reason | undefined, note: string) => void,
): HTMLFormElement {
  const note = element('textarea', {
    rows: '2',
    maxlength: '2000',
    'aria-label': texts.note,
    placeholder: texts.note,
    dir: 'auto',
  })
  const choices = reasons.map((reason) => element('input', { type: 'radio', name, value: reason }))
  return element(
    'form',
    {
      class: 'why',
      submit: (event) => {
        event.preventDefault()
        const chosen = choices.findIndex(({ checked }) => checked)
        send(reasons[chosen], note.value.trim())
      },
    },
    element(
      'fieldset',
      {},
      element('legend', {}, texts.why),
      ...choices.map((choice, n) =>
        element('label', { class: 'choice' }, choice, texts[reasons[n] ?? 'other']),
      ),
    ),
    note,
    element('button', { class: 'plain' }, texts.send),
  )
}
