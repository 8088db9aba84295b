import { element, icon, iconButton } from '../dom.ts'
import type { AttachedFile, Question } from '../talk/conversation.ts'
import type { Selection } from '../talk/exchange.ts'
import type { Texts } from '../texts/en.ts'
import { readFile, takenTypes } from './read-file.ts'

/** Where questions are written. */
export interface Composer {
  node: HTMLElement
  focus(): void
  write(text: string): void
  /** The next question is about this text of the page. */
  attach(selection: Selection): void
  update(isBusy: boolean): void
}

interface Ports {
  texts: Texts
  /** As in `Options`. */
  files: string | undefined
  ask(question: Question): void
  stop(): void
}

const mostFiles = 5
/** Characters of a question that the server reads whole. */
const longest = 20_000

export function createComposer({ texts, files, ask, stop }: Ports): Composer {
  let selection: Selection | undefined
  let attached: AttachedFile[] = []
  let isBusy = false
  const field = element('textarea', {
    rows: '1',
    placeholder: texts.placeholder,
    'aria-label': texts.placeholder,
    enterkeyhint: 'send',
    dir: 'auto',
    autocomplete: 'off',
    input: () => {
      fit()
      measure()
    },
    keydown: (event) => {
      const { key, shiftKey, isComposing } = event as KeyboardEvent
      if (key !== 'Enter' || shiftKey || isComposing) return
      event.preventDefault()
      submit()
    },
  })
  const along = element('div', { class: 'along' })
  const said = element('p', { class: 'said', role: 'status', hidden: true })
  const button = element('button', { class: 'send' })
  const picker = element('input', {
    type: 'file',
    multiple: true,
    hidden: true,
    tabindex: '-1',
    'aria-hidden': 'true',
    accept: takenTypes(files).join(','),
    change: () => void take([...(picker.files ?? [])]),
  })
  const submit = (): void => {
    if (isBusy || field.value.trim() === '' || measure()) return
    ask({ text: field.value, selection, files: attached })
    field.value = ''
    selection = undefined
    attached = []
    show()
    fit()
  }
  const take = async (chosen: File[]): Promise<void> => {
    picker.value = ''
    said.hidden = true
    for (const file of chosen.slice(0, mostFiles - attached.length)) {
      const read = await readFile(file, files)
      if (read) attached.push(read)
      else say(texts.unreadable.replace('{name}', file.name))
    }
    show()
    field.focus()
  }
  /** Says that a question is too long: a field that takes only a part of what is pasted would lose the rest. */
  const measure = (): boolean => {
    const over = field.value.trim().length - longest
    if (over > 0) say(texts.long.replace('{n}', String(over)))
    else if (field.ariaInvalid === 'true') said.hidden = true
    field.ariaInvalid = over > 0 ? 'true' : null
    return over > 0
  }
  const say = (text: string): void => {
    said.hidden = false
    said.textContent = text
  }
  const fit = (): void => {
    const lines = field.value.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / 42), 0)
    field.rows = Math.min(6, lines)
  }
  const item = (label: string, text: string, remove: () => void): Node =>
    element(
      'span',
      { class: 'item' },
      element('span', { dir: 'auto' }, label, text),
      iconButton('close', texts.remove, () => {
        remove()
        show()
        field.focus()
      }),
    )
  const show = (): void => {
    along.replaceChildren(
      ...(selection
        ? [item(`${texts.about} `, `“${selection.value.slice(0, 120)}”`, () => (selection = undefined))]
        : []),
      ...attached.map((file) =>
        item('', file.filename, () => (attached = attached.filter((one) => one !== file))),
      ),
    )
    along.hidden = along.childElementCount === 0
  }
  const node = element(
    'form',
    {
      class: 'composer',
      submit: (event) => {
        event.preventDefault()
        if (isBusy) stop()
        else submit()
      },
    },
    along,
    said,
    element(
      'div',
      { class: 'line' },
      ...(takenTypes(files).length > 0
        ? [picker, iconButton('attach', texts.attach, () => picker.click())]
        : []),
      field,
      button,
    ),
  )
  const update = (busy: boolean): void => {
    isBusy = busy
    const label = busy ? texts.stop : texts.send
    button.setAttribute('aria-label', label)
    button.title = label
    button.replaceChildren(icon(busy ? 'stop' : 'send'))
  }
  show()
  update(false)
  return {
    node,
    focus: () => field.focus(),
    write(text) {
      field.value = text
      fit()
      measure()
    },
    attach(given) {
      selection = given
      show()
    },
    update,
  }
}
