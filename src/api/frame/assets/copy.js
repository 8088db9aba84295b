// Buttons that copy the code beside them. Without this file they are not shown.
document.documentElement.classList.add('js')

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null
  const source = button?.closest('.code-block, figure, .copyable')?.querySelector('code')
  if (!button || !source) return
  void copy(source).then((copied) => {
    button.textContent = copied ? 'Copied' : 'Press Ctrl+C'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
})

async function copy(source) {
  try {
    await navigator.clipboard.writeText(source.textContent)
    return true
  } catch {
    // Plain http on another machine: browsers give no clipboard, so the text is at least selected.
    const range = document.createRange()
    range.selectNodeContents(source)
    const selection = getSelection()
    selection.removeAllRanges()
    selection.addRange(range)
    return false
  }
}
