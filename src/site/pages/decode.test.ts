import { expect, it } from 'vitest'
import { decodeText, storableText } from './decode.ts'

it('decodes UTF-8 and UTF-16 by their marks, and older encodings as well as it can', () => {
  expect(decodeText(new TextEncoder().encode('\uFEFFä'))).toBe('ä')
  expect(decodeText(Uint8Array.of(0xff, 0xfe, 0xe4, 0x00, 0x0a, 0x00))).toBe('ä\n')
  expect(decodeText(Uint8Array.of(0xfe, 0xff, 0x00, 0xe4))).toBe('ä')
  expect(decodeText(Uint8Array.of(0x61, 0xe4))).toBe('aä')
})

it('tells binary files from text', () => {
  expect(decodeText(Uint8Array.of(0x89, 0x50, 0x00, 0x47))).toBeUndefined()
})

it('removes what the database refuses', () => {
  expect(storableText('a\0b\ud800c')).toBe('ab\uFFFDc')
})
