import { expect, it } from 'vitest'
import { colourCode } from './colour-code.ts'

it('finds comments, strings, numbers and words of a language', () => {
  expect(colourCode('const a = "b" // c 1', 'ts').filter(({ kind }) => kind)).toEqual([
    { kind: 'keyword', text: 'const' },
    { kind: 'string', text: '"b"' },
    { kind: 'comment', text: '// c 1' },
  ])
  expect(colourCode('port: 8080 # web', 'yaml').filter(({ kind }) => kind)).toEqual([
    { kind: 'name', text: 'port' },
    { kind: 'number', text: '8080' },
    { kind: 'comment', text: '# web' },
  ])
})

it.each(['js', 'json', 'python', 'bash', 'yaml', 'sql', 'html', 'diff', 'klingon', ''])(
  'loses nothing of a code in %j',
  (language) => {
    for (const text of [
      'a "b\\" c\n# d // e\n<f g="h">--i /* j',
      '"'.repeat(3000),
      '/*'.repeat(3000),
      '<!--'.repeat(3000),
    ])
      expect(
        colourCode(text, language)
          .map((part) => part.text)
          .join(''),
      ).toBe(text)
  },
)
