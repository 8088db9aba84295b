/**
 * Whether a key press is the one that opens the widget.
 * @param shortcut such as `ctrl+i`, where Ctrl is also the command key of a Mac; `off` for none
 */
export function shortcutOf(shortcut = 'ctrl+i'): (event: KeyboardEvent, host: Element) => boolean {
  const parts = shortcut.toLowerCase().split('+')
  const wanted = parts.at(-1) ?? ''
  if (wanted === 'off' || wanted === '') return () => false
  return (event, host) => {
    const { key, ctrlKey, metaKey, shiftKey, altKey } = event
    if (key?.toLowerCase() !== wanted || event.defaultPrevented) return false
    if ((ctrlKey || metaKey) !== parts.includes('ctrl')) return false
    if (altKey !== parts.includes('alt') || (shiftKey && !parts.includes('shift'))) return false
    // In an editor of the page the same keys mean something else.
    const [place] = event.composedPath()
    const isEditor =
      place instanceof HTMLElement && (place.isContentEditable || place.matches('input, textarea, select'))
    return !isEditor || host.shadowRoot?.contains(place) === true
  }
}
