// Lets the elapsed time of work tick between two updates of its page. It counts from the server's time.
let shown
let at = performance.now()

function begin() {
  at = performance.now()
  tick()
}

function tick() {
  for (const place of document.querySelectorAll('[data-elapsed]')) {
    const text = timeText(Number(place.dataset.elapsed) + performance.now() - at)
    if (text !== shown || place.textContent !== text) place.textContent = text
    shown = text
  }
}

function timeText(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

document.addEventListener('morphed', begin)
setInterval(tick, 1000)
