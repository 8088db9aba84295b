import { expect, it } from 'vitest'
import { AppError } from '../../lib/errors.ts'
import { readCases } from './read-cases.ts'

function problemsOf(text: string): string[] {
  try {
    readCases(text, 'cases.jsonl')
  } catch (error) {
    if (error instanceof AppError) return error.message.split('\n')
    throw error
  }
  return []
}

it('reads cases, with one page or fact as text or as a list', () => {
  const { cases, unreviewed } = readCases(
    [
      '\uFEFF{"question": " How? ", "pages": "a", "sections": ["b#c"], "facts": ["one", ["two", "2"]], "note": "x"}\r',
      '',
      '{"question": "Why?", "unanswerable": true, "history": [{"role": "user", "text": "Before"}], "path": "/a"}',
      '{"question": "Who?", "pages": ["a"], "review": "rated down"}',
    ].join('\n'),
    'cases.jsonl',
  )
  expect(unreviewed).toBe(1)
  expect(cases).toMatchObject([
    {
      line: 1,
      question: 'How?',
      pages: ['a'],
      sections: ['b#c'],
      facts: [['one'], ['two', '2']],
      unanswerable: false,
    },
    {
      line: 3,
      question: 'Why?',
      unanswerable: true,
      history: [{ role: 'user', text: 'Before' }],
      path: '/a',
    },
  ])
})

it.each([
  ['{"question": "How?"', /^cases\.jsonl:1: is not JSON: /],
  ['[]', /^cases\.jsonl:1: must be an object$/],
  ['{"pages": ["a"]}', /^cases\.jsonl:1: `question` must be text$/],
  ['{"question": "How?"}', /^cases\.jsonl:1: expects nothing: add `pages`/],
  [
    '{"question": "How?", "page": ["a"]}',
    /^cases\.jsonl:1: has an unknown field "page"; there are question, pages, /,
  ],
  ['{"question": "How?", "pages": [1]}', /^cases\.jsonl:1: `pages` must be a list of pages$/],
  ['{"question": "How?", "sections": ["#a"]}', /^cases\.jsonl:1: `sections\.0` must name the page/],
  [
    '{"question": "How?", "pages": ["a"], "unanswerable": true}',
    /is unanswerable, so it can have no `pages`/,
  ],
  [
    '{"question": "How?", "pages": ["a"], "history": [{"role": "system", "text": "x"}]}',
    /`history\.0\.role` must be user or/,
  ],
  ['', /^cases\.jsonl: contains no question/],
  [
    '{"question": "How?", "pages": ["a"], "review": "x"}',
    /^cases\.jsonl: all 1 questions are marked to be reviewed/,
  ],
  [
    '{"question": "How?", "pages": ["a"]}\n\n{"question": "How?", "pages": ["b"]}',
    /^cases\.jsonl:3: asks the same as line 1$/,
  ],
])('says what is wrong with %s', (text, problem) => {
  expect(problemsOf(text)).toEqual([expect.stringMatching(problem)])
})

it('names every line that is wrong, up to twenty', () => {
  expect(problemsOf('{"question": "How?"}\n1\n')).toHaveLength(2)
  const many = problemsOf('1\n'.repeat(30))
  expect([many.length, many.at(-1)]).toEqual([21, '… and 10 more'])
})
