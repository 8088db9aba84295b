import { describe, expect, it } from 'vitest'
import { readAttachments, withImages, type Attachment } from './attachments.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII='
const file = (name: string, url: string, mediaType = ''): Attachment => ({ name, url, mediaType })
const text = (type: string, content: string): string =>
  `data:${type};base64,${Buffer.from(content).toString('base64')}`

describe('readAttachments', () => {
  it('reads text files as what the reader has selected', () => {
    const files = [
      file('notes.md', text('text/markdown', '# Ümlaut')),
      file('a.json', text('application/json', '{}')),
    ]
    expect(readAttachments(files, false)).toEqual({
      context: [
        { type: 'code', value: '# Ümlaut', path: 'notes.md' },
        { type: 'code', value: '{}', path: 'a.json' },
      ],
      images: [],
      note: undefined,
    })
  })

  it('takes images only where the model can look at them', () => {
    const files = [file('shot.png', `data:image/png;base64,${png}`)]
    expect(readAttachments(files, true)).toEqual({
      context: [],
      images: [{ mediaType: 'image/png', base64: png }],
      note: undefined,
    })
    expect(readAttachments(files, false).note).toBe(
      'The attached file “shot.png” was not read; describe in words what matters in it.',
    )
  })

  it.each([
    ['an address', file('a.png', 'https://evil.example/a.png', 'image/png')],
    ['another kind of file', file('a.pdf', text('application/pdf', '%PDF'))],
    ['an image that is none', file('a.png', text('image/png', 'GIF89a'))],
    ['an image that is too large', file('a.png', `data:image/png;base64,${png}${'A'.repeat(7_000_000)}`)],
    ['a text that is too long', file('a.txt', text('text/plain', 'x'.repeat(100_100)))],
    ['bytes that are no text', file('a.txt', 'data:text/plain;base64,/////w==')],
    ['no base64', file('a.txt', 'data:text/plain,hello')],
    ['a drawing', file('a.svg', text('image/svg+xml', '<svg/>'))],
  ])('does not read %s, and says so', (_, attachment) => {
    expect(readAttachments([attachment], true)).toEqual({
      context: [],
      images: [],
      note: expect.stringMatching(/^The attached file “a\.\w+” was not read/),
    })
  })

  it('reads five files, and names no markup of the others', () => {
    const files = Array.from({ length: 6 }, () => file('[x](https://evil.example)', text('text/plain', 'x')))
    const { context, note } = readAttachments(files, false)
    expect(context).toHaveLength(5)
    expect(note).toBe(
      'The attached file “xhttpsevil.example” was not read; describe in words what matters in it.',
    )
    expect(readAttachments([file('', ''), file('', '')], false).note).toBe(
      'The 2 attached files were not read; describe in words what matters in them.',
    )
  })
})

it('puts images beside the question', () => {
  const images = [{ mediaType: 'image/png', base64: png }]
  const [said, asked] = withImages(
    [
      { role: 'assistant', content: 'said' },
      { role: 'user', content: 'What is this?' },
    ],
    images,
  )
  expect(said).toEqual({ role: 'assistant', content: 'said' })
  expect(asked).toEqual({
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'file', mediaType: 'image/png', data: png },
    ],
  })
})
