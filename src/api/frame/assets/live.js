// Keeps a live page fresh: its event stream says when it has changed, then it is fetched again and morphed. The stream
// is closed while the page is hidden, because a browser opens only six connections to a server.
import { addressOf } from './address.js'
import { fetchAgain } from './fetch-page.js'
import { morphPage } from './morph-page.js'
import { signInLink } from './problems.js'

/** Milliseconds. The server says something every 15 seconds. */
const pace = { poll: 3000, silence: 40_000, least: 500, most: 20_000, look: 5000 }

let source
let timer
/** When the stream said something last. */
let heard = 0
/** Attempts to connect since then. */
let failures = 0
/** The version that the stream named last. */
let named
/** Something new is not shown yet, because a person has selected the old text. */
let isHeld = false

const live = () => document.querySelector('main[data-live]')
const isSeen = () => document.visibilityState === 'visible'

function listen() {
  close()
  if (!live() || !isSeen()) return
  const address = live().dataset.stream
  if (address === undefined) {
    timer = setTimeout(() => void catchUp(), pace.poll)
    return
  }
  source = new EventSource(addressOf(address))
  source.addEventListener('error', () => void catchUp())
  source.addEventListener('quiet', hear)
  source.addEventListener('version', ({ data }) => {
    hear()
    const shown = live()?.dataset.version ?? named
    named = data
    if (data !== shown) void refresh().then((state) => state === 'fresh' || catchUp())
  })
  heard = Date.now()
  // A connection that broke without a word, as when the computer slept.
  timer = setInterval(() => {
    if (Date.now() - heard > pace.silence) void catchUp()
  }, pace.look)
}

function hear() {
  heard = Date.now()
  failures = 0
  say()
}

function close() {
  source?.close()
  source = undefined
  clearInterval(timer)
}

/** After a lost connection: fetches the page, whatever has happened meanwhile, and listens again. */
async function catchUp() {
  close()
  if (!live() || !isSeen()) return
  const state = await refresh()
  close()
  if (state === 'gone') return
  if (state === 'signed out') {
    say('You’ve been signed out. Your text is still here.', 'Sign in again')
    return
  }
  say(state === 'away' ? 'Reconnecting…' : undefined)
  if (state === 'fresh' && live()?.dataset.stream === undefined) {
    failures = 0
    listen()
    return
  }
  // Pages that were cut off together come back at different times.
  const wait = Math.min(pace.most, pace.least * 2 ** failures) * (0.5 + Math.random())
  failures++
  timer = setTimeout(() => (state === 'fresh' ? listen() : void catchUp()), wait)
}

let refreshing
let isWanted = false

/** One fetch at a time: what changes meanwhile is fetched after it. */
function refresh() {
  isWanted = true
  refreshing ??= refreshWhileWanted().finally(() => {
    refreshing = undefined
  })
  return refreshing
}

async function refreshWhileWanted() {
  let state
  while (isWanted) {
    isWanted = false
    state = await fetchOnce()
    if (isWanted) await new Promise((go) => setTimeout(go, pace.least))
  }
  return state
}

async function fetchOnce() {
  try {
    const { page, isFine, isSignedOut, status } = await fetchAgain()
    if (isSignedOut) return 'signed out'
    if (!isFine) return status >= 500 || status === 429 ? 'away' : 'gone'
    const before = live()?.dataset.stream
    isHeld = morphPage(page)
    if (source && live()?.dataset.stream !== before) listen()
    return 'fresh'
  } catch {
    return 'away'
  }
}

/** A quiet line at the edge of the page, or nothing. */
function say(message, link) {
  document.getElementById('live-note')?.remove()
  if (message === undefined) return
  const note = document.createElement('p')
  note.id = 'live-note'
  note.setAttribute('role', 'status')
  note.append(message)
  if (link !== undefined) note.append(' ', signInLink(link))
  document.body.append(note)
}

function wake() {
  failures = 0
  if (live()?.dataset.stream === undefined) void catchUp()
  else listen()
}

document.addEventListener('visibilitychange', () => (isSeen() ? wake() : close()))
document.addEventListener('selectionchange', () => {
  if (isHeld && getSelection()?.isCollapsed !== false) void refresh()
})
addEventListener('pageshow', ({ persisted }) => persisted && wake())
addEventListener('pagehide', close)
addEventListener('online', wake)
addEventListener('focus', () => {
  if (document.getElementById('live-note')) wake()
})
listen()
