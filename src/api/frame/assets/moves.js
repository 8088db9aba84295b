// A transition from one page to another may be cut short: by another click, or because the page was shown before it
// began. That is nobody's error, but browsers report it. This runs before the page is shown, as that may be the moment.
addEventListener('unhandledrejection', (event) => {
  const { reason } = event
  if (reason instanceof DOMException && reason.message.startsWith('Transition was ')) event.preventDefault()
})
