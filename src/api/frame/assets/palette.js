// The command palette: a dialog that finds pages, projects, documentation, jobs and actions while one types. Without
// this file its button is a link to a page that finds the same.
import { addressOf } from './address.js'

const names = {
  action: 'Actions',
  place: 'Dashboard pages',
  project: 'Projects',
  page: 'Documentation',
  job: 'Jobs',
}
const pause = 120

class CommandPalette extends HTMLElement {
  #dialog
  #input
  #list
  #status
  #found = []
  #chosen = -1
  #timer
  #asked = 0
  #shownFor

  connectedCallback() {
    const link = this.querySelector('a')
    const hint = link?.querySelector('kbd')
    if (!link) return
    if (hint && /Mac|iPhone|iPad/.test(navigator.platform)) hint.textContent = '⌘K'
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      this.open()
    })
    document.addEventListener('keydown', this.#onShortcut)
  }

  disconnectedCallback() {
    document.removeEventListener('keydown', this.#onShortcut)
  }

  #onShortcut = (event) => {
    if (
      event.key.toLowerCase() !== 'k' ||
      !(event.ctrlKey || event.metaKey) ||
      event.altKey ||
      event.shiftKey
    )
      return
    event.preventDefault()
    if (this.#dialog?.open) this.#dialog.close()
    else this.open()
  }

  open() {
    this.#build()
    if (this.#dialog.open || document.querySelector('dialog[open]')) return
    this.#input.value = ''
    this.#shownFor = undefined
    this.#show([])
    this.#dialog.showModal()
    this.#input.focus()
    void this.#ask()
  }

  #build() {
    if (this.#dialog) return
    const dialog = document.createElement('dialog')
    dialog.className = 'palette'
    dialog.setAttribute('aria-label', 'Find')
    const input = Object.assign(document.createElement('input'), {
      type: 'text',
      placeholder: 'Search pages, jobs, and actions…',
      autocomplete: 'off',
      spellcheck: false,
      maxLength: 200,
    })
    const list = document.createElement('div')
    list.id = 'palette-list'
    for (const [name, value] of Object.entries({
      role: 'combobox',
      'aria-label': 'Search pages, projects, docs, jobs, and actions',
      'aria-expanded': 'true',
      'aria-controls': list.id,
      'aria-autocomplete': 'list',
    }))
      input.setAttribute(name, value)
    list.setAttribute('role', 'listbox')
    list.setAttribute('aria-label', 'Results')
    const status = document.createElement('p')
    status.className = 'palette-status'
    status.setAttribute('role', 'status')
    input.addEventListener('input', () => {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => void this.#ask(), pause)
    })
    input.addEventListener('keydown', (event) => this.#onKey(event))
    list.addEventListener('click', (event) => {
      const option = event.target instanceof Element ? event.target.closest('[role=option]') : null
      if (option) this.#go(Number(option.dataset.at), event.ctrlKey || event.metaKey)
    })
    // A click beside the dialog is one on the dialog itself.
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog) dialog.close()
    })
    dialog.addEventListener('close', () => clearTimeout(this.#timer))
    dialog.append(input, list, status)
    this.append(dialog)
    this.#dialog = dialog
    this.#input = input
    this.#list = list
    this.#status = status
  }

  #onKey(event) {
    if (event.isComposing) return
    const last = this.#found.length - 1
    const to = {
      ArrowDown: this.#chosen >= last ? 0 : this.#chosen + 1,
      ArrowUp: this.#chosen <= 0 ? last : this.#chosen - 1,
      PageDown: Math.min(last, this.#chosen + 8),
      PageUp: Math.max(0, this.#chosen - 8),
    }[event.key]
    if (to !== undefined && last >= 0) {
      event.preventDefault()
      this.#choose(to)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      void this.#enter(event.ctrlKey || event.metaKey)
    }
  }

  // Whoever types fast means what was typed, not what is shown still.
  async #enter(inNewTab) {
    if (this.#input.value.trim() !== this.#shownFor) {
      clearTimeout(this.#timer)
      await this.#ask()
    }
    this.#go(this.#chosen, inNewTab)
  }

  async #ask() {
    const mine = ++this.#asked
    const query = this.#input.value.trim()
    const parameters = new URLSearchParams({ query })
    if (this.dataset.project) parameters.set('project', this.dataset.project)
    try {
      const response = await fetch(addressOf(`/admin/find?${parameters}`), { credentials: 'same-origin' })
      if (mine !== this.#asked) return
      if (!response.ok) {
        this.#show(
          [],
          response.status === 401
            ? 'You’ve been signed out. Sign in again.'
            : 'Something went wrong. Try again.',
        )
        return
      }
      const found = await response.json()
      if (mine !== this.#asked) return
      this.#shownFor = query
      this.#show(found, query === '' ? '' : countText(found.length))
    } catch {
      if (mine === this.#asked) this.#show([], 'The server cannot be reached.')
    }
  }

  #show(found, message = '') {
    this.#found = []
    const groups = Object.keys(names).flatMap((kind) => {
      const own = found.filter((one) => one.kind === kind)
      if (own.length === 0) return []
      const group = document.createElement('div')
      const heading = document.createElement('div')
      heading.id = `palette-${kind}`
      heading.className = 'palette-group'
      heading.setAttribute('role', 'presentation')
      heading.textContent = names[kind]
      group.setAttribute('role', 'group')
      group.setAttribute('aria-labelledby', heading.id)
      group.append(heading, ...own.map((one) => this.#option(one)))
      return [group]
    })
    this.#list.replaceChildren(...groups)
    this.#status.textContent = message
    this.#input.setAttribute('aria-expanded', String(groups.length > 0))
    this.#choose(this.#found.length > 0 ? 0 : -1)
  }

  #option(one) {
    const option = document.createElement('div')
    const at = this.#found.push(one) - 1
    option.id = `palette-option-${at}`
    option.dataset.at = String(at)
    option.setAttribute('role', 'option')
    const title = document.createElement('span')
    title.textContent = one.title
    const detail = document.createElement('span')
    detail.className = 'palette-detail'
    detail.textContent = one.detail
    option.append(title, ' ', detail)
    return option
  }

  #choose(at) {
    this.#list.querySelector('[aria-selected=true]')?.removeAttribute('aria-selected')
    this.#chosen = at
    const option = this.#list.querySelector(`[data-at="${at}"]`)
    if (!option) {
      this.#input.removeAttribute('aria-activedescendant')
      return
    }
    option.setAttribute('aria-selected', 'true')
    this.#input.setAttribute('aria-activedescendant', option.id)
    option.scrollIntoView({ block: 'nearest' })
  }

  #go(at, inNewTab) {
    const one = this.#found[at]
    if (!one || !one.url.startsWith('/')) return
    const address = addressOf(one.url)
    if (one.form) {
      const token = document.querySelector('.top [name=csrf]')
      if (!token) return
      const form = Object.assign(document.createElement('form'), {
        method: 'post',
        action: address,
        hidden: true,
      })
      form.append(token.cloneNode())
      document.body.append(form)
      form.submit()
    } else if (inNewTab) window.open(address, '_blank', 'noopener')
    else {
      this.#dialog.close()
      location.assign(address)
    }
  }
}

function countText(count) {
  if (count === 0) return 'No results. Try fewer or different words.'
  return count === 1 ? '1 result' : `${count} results`
}

customElements.define('command-palette', CommandPalette)

// On narrow screens the tabs scroll: the current one is in sight.
for (const current of document.querySelectorAll(
  '.tabs a:not(.deeper)[aria-current], .parts [aria-current], .subnav [aria-current]',
)) {
  const strip = current.closest('nav')
  strip.scrollLeft = current.offsetLeft - (strip.clientWidth - current.offsetWidth) / 2
}
