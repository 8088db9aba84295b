type Scheme = 'light' | 'dark'

/** Attributes with which documentation sites say how they look now. */
const attributes = [
  'data-theme',
  'data-color-scheme',
  'data-color-mode',
  'data-bs-theme',
  'data-mode',
  'data-md-color-scheme',
  'class',
]

/** Calls back with the colours that the page has, now and whenever that changes. @returns what ends it */
export function followTheme(wanted: string | undefined, change: (scheme: Scheme) => void): () => void {
  if (wanted === 'light' || wanted === 'dark') {
    change(wanted)
    return () => undefined
  }
  const system = matchMedia('(prefers-color-scheme: dark)')
  const update = (): void => change(schemeOfPage() ?? (system.matches ? 'dark' : 'light'))
  const observer = new MutationObserver(update)
  for (const element of [document.documentElement, document.body])
    if (element) observer.observe(element, { attributes: true, attributeFilter: attributes })
  system.addEventListener('change', update)
  update()
  return () => {
    observer.disconnect()
    system.removeEventListener('change', update)
  }
}

function schemeOfPage(): Scheme | undefined {
  for (const element of [document.documentElement, document.body]) {
    for (const name of attributes) {
      const words = (element?.getAttribute(name) ?? '').toLowerCase().split(/\s+/)
      if (words.some((word) => ['dark', 'theme-dark', 'dark-mode', 'slate'].includes(word))) return 'dark'
      if (words.some((word) => ['light', 'theme-light', 'light-mode', 'default'].includes(word)))
        return 'light'
    }
  }
  return undefined
}
