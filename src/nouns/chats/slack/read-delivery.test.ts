import { expect, it } from 'vitest'
import { readDelivery } from './read-delivery.ts'
import { textOf } from './text-of.ts'

const json = 'application/json'
const said = (event: object): string =>
  JSON.stringify({ type: 'event_callback', event: { type: 'message', ...event } })
const written = { channel: 'C1', user: 'U1', text: 'Hi', ts: '1.2' }

it('gives a message one key, as a message and as a mention', () => {
  const [message, mention] = ['message', 'app_mention'].map((type) =>
    readDelivery({ contentType: json, body: said({ ...written, type, text: '<@UBOT> hi' }) }, 'UBOT'),
  )
  expect(message).toEqual(mention)
  expect(message).toMatchObject({
    kind: 'event',
    key: 'message C1 1.2',
    incoming: { place: { thread: 'slack:C1:1.2', isDirect: false }, text: 'hi', isMention: true },
  })
})

it.each([
  ['its own messages', said({ ...written, user: 'UBOT' })],
  ['messages of other apps', said({ ...written, bot_id: 'B9' })],
  ['edits', said({ ...written, subtype: 'message_changed' })],
  ['other events', JSON.stringify({ type: 'event_callback', event: { type: 'reaction_added' } })],
  ['what is no JSON', '{'],
  ['nothing', ''],
])('leaves %s alone', (_, body) => {
  expect(readDelivery({ contentType: json, body }, 'UBOT')).toEqual({ kind: 'nothing' })
})

it('knows that the app was removed', () => {
  const body = JSON.stringify({ type: 'event_callback', event: { type: 'app_uninstalled' } })
  expect(readDelivery({ contentType: json, body }, 'UBOT')).toEqual({ kind: 'removed' })
})

it('reads what people wrote as they see it', () => {
  const text =
    '<@UBOT> see <https://e.example/a|the page>, <https://e.example/b> in <#C2|docs> &lt;b&gt; <@U7|ann> <!here>'
  expect(textOf(text, 'UBOT')).toBe(
    'see the page (https://e.example/a), https://e.example/b in #docs <b> ann',
  )
})
