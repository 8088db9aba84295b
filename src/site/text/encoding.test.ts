import { describe, expect, it } from 'vitest'
import { legacyPages } from '../../../tests/worlds/legacy-pages.ts'
import { decodeText, encodeEdited, keepsEncoding } from './encoding.ts'

const bytesOf = (name: keyof typeof legacyPages): Buffer => Buffer.from(legacyPages[name].base64, 'base64')
const decoded = (bytes: Uint8Array) => {
  const text = decodeText(bytes)
  if (text === undefined) throw new Error('expected to be text')
  return text
}

const known = Object.keys(legacyPages).filter(
  (name) => name !== 'windows-1250',
) as (keyof typeof legacyPages)[]

describe.each(known)('a page in %s', (name) => {
  const bytes = bytesOf(name)
  const before = decoded(bytes)

  it('is read as people wrote it', () => {
    expect(before).toEqual({ text: legacyPages[name].text, encoding: name })
  })

  it('keeps its bytes around an edit in ASCII', () => {
    const after = encodeEdited(before.text.replace('other.md', 'new/place.md'), before)
    const at = bytes.indexOf('other.md')
    expect(Buffer.from(after)).toEqual(
      Buffer.concat([bytes.subarray(0, at), Buffer.from('new/place.md'), bytes.subarray(at + 8)]),
    )
    expect(keepsEncoding(bytes, after)).toBe(true)
    expect(Buffer.from(encodeEdited(before.text, before))).toEqual(bytes)
  })

  it('takes no other characters', () => {
    for (const added of ['é', '設', '–', '😀'])
      expect(() => encodeEdited(`${before.text}${added}\n`, before)).toThrow(
        /not UTF-8 but probably .* beyond ASCII can’t be added/,
      )
    const utf8 = Buffer.concat([bytes, Buffer.from('é\n')])
    expect(keepsEncoding(bytes, utf8)).toBe(false)
  })

  it('can lose and move its characters', () => {
    const [first = '', ...rest] = before.text.split('\n\n')
    const moved = [...rest, first].join('\n\n')
    expect(decoded(encodeEdited(moved, before)).text).toBe(moved)
  })
})

it('keeps the bytes of an encoding that it takes for another one', () => {
  const bytes = bytesOf('windows-1250')
  const before = decoded(bytes)
  expect(Buffer.from(encodeEdited(before.text, before))).toEqual(bytes)
  expect(() => encodeEdited(`${before.text}ř`, before)).toThrow('beyond ASCII')
})

it('never takes a part of a character for ASCII', () => {
  // The second byte of these is a backslash, a bar or a letter.
  const page = bytesOf('shift_jis')
  expect(page.includes(0x5c)).toBe(true)
  const before = decoded(page)
  expect(before.text).not.toContain('\\')
  const changed = before.text.replaceAll(/[\\|A-Z]/g, '')
  expect(decoded(encodeEdited(changed, before)).text).toBe(changed)
})

it('writes all of Unicode into files that say that they hold it', () => {
  const text = '# Größe 設定 😀\n'
  for (const bytes of [
    Buffer.from(`\uFEFF${text}`),
    Buffer.from(`\uFEFF${text}`, 'utf16le'),
    Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  ]) {
    const before = decoded(bytes)
    expect(before.text).toBe(`\uFEFF${text}`)
    const after = encodeEdited(`${before.text}é`, before)
    expect(decoded(after)).toEqual({ ...before, text: `${before.text}é` })
    expect(keepsEncoding(bytes, after)).toBe(true)
  }
})

it('tells UTF-8 with a few wrong bytes from other encodings', () => {
  const damaged = Buffer.concat([Buffer.from('Größe für Männer '), Buffer.from([0xff, 0x0a])])
  const before = decoded(damaged)
  expect(before.encoding).toBe('utf-8-damaged')
  expect(Buffer.from(encodeEdited(before.text, before))).toEqual(damaged)
  expect(Buffer.from(encodeEdited(`${before.text}é`, before))).toEqual(
    Buffer.concat([damaged, Buffer.from('é')]),
  )
})
