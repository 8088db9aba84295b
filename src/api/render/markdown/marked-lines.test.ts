import { describe, expect, it } from 'vitest'
import { markedLines, readMarkedLines } from './marked-lines.ts'

describe('marked lines of code', () => {
  it.each([
    ['a\nb // [!code ++]\nc // [!code --]', '', 'a\nb\nc', '2+ 3-'],
    ['// [!code highlight:2]\na\nb\nc', '', 'a\nb\nc', '1= 2='],
    [
      'a\n// highlight-next-line\nb\n# highlight-start\nc\nd\n# highlight-end\ne',
      '',
      'a\nb\nc\nd\ne',
      '2= 3= 4=',
    ],
    ['a\nb', 'js {2} title="x"', 'a\nb', '2='],
    ['a\nb\nc', 'ins={1} del={2-3} width="2"', 'a\nb\nc', '1+ 2- 3-'],
    ['a\nb', '{ .py hl_lines="1 2" }', 'a\nb', '1= 2='],
    ['// [!code other]', '', '// [!code other]', ''],
  ])('reads %j', (code, meta, text, marks) => {
    expect(readMarkedLines(code, meta)).toEqual({ text, marks })
  })

  it('keeps every character of the text', () => {
    expect(markedLines('a\n\nb\n', '1+ 9=')).toEqual([
      { text: 'a\n', mark: '+' },
      { text: '\n', mark: undefined },
      { text: 'b\n', mark: undefined },
    ])
  })
})
