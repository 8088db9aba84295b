import { expect, it } from 'vitest'
import { meetNeeds } from './meet-needs.ts'

it('puts the words of the system before those of a question with an image', () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }
  const question = { role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'system', content: 'Be brief.' }, question] })
  expect(JSON.parse(meetNeeds(body, new Set(['no system'])))).toEqual({
    model: 'm',
    messages: [
      {
        role: 'user',
        content: [{ type: 'text', text: 'Be brief.' }, { type: 'text', text: 'What is this?' }, image],
      },
    ],
  })
})
