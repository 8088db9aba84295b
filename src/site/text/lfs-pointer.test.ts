import { expect, it } from 'vitest'
import { decodeText } from './encoding.ts'
import { isLfsPointer } from './lfs-pointer.ts'

const oid = `oid sha256:${'4d7a'.repeat(16)}`
const start = 'version https://git-lfs.github.com/spec/v1'
const bytes = (text: string): Uint8Array => Buffer.from(text)

it.each([
  ['as the tool writes it', `${start}\n${oid}\nsize 12345\n`],
  ['with an extension', `${start}\next-0-crypt sha256:${'a'.repeat(64)}\n${oid}\nsize 1\n`],
  ['of the first versions', `version https://hawser.github.com/spec/v1\n${oid}\nsize 1\n`],
  ['with the line ends of Windows', `${start}\r\n${oid}\r\nsize 12345\r\n`],
])('knows a pointer %s', (_, text) => {
  expect(isLfsPointer(bytes(text))).toBe(true)
  expect(decodeText(bytes(text))).toBeUndefined()
})

it.each([
  ['nothing', ''],
  ['a page about pointers', `${start}\n\nA pointer looks like this:\n\n${oid}\nsize 1\n`],
  ['a page that shows one', `# LFS\n\n\`\`\`\n${start}\n${oid}\nsize 1\n\`\`\`\n`],
  ['a long file', `${start}\n${oid}\nsize 1\n${'x 1\n'.repeat(300)}`],
  ['a file that only begins like one', start],
])('does not take %s for one', (_, text) => {
  expect(isLfsPointer(bytes(text))).toBe(false)
})
