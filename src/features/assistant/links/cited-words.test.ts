import { expect, it } from 'vitest'
import { citedWords } from './cited-words.ts'

const wordsIn = (reply: string) => Object.fromEntries(citedWords(reply, new Set(['/a', '/b', '/c'])))

it.each<[string, string, Record<string, string[]>]>([
  [
    'the sentence of a link',
    'It is old. Set **it** in [the file](/a) first. Then go.',
    { '/a': ['Set it in the file first.'] },
  ],
  ['every link of a sentence', 'Use [A](/a) or [B](/b).', { '/a': ['Use A or B.'], '/b': ['Use A or B.'] }],
  [
    'what stands before a link of its own',
    'It fails. It waits. [Retries](/a)\n',
    { '/a': ['It fails. It waits.'] },
  ],
  ['each part before its link', 'One. [A](/a) Two. [B](/b)', { '/a': ['One.'], '/b': ['Two.'] }],
  ['the list before its link', 'Run:\n\n1. First.\n2. Second.\n\n[A](/a)', { '/a': ['First. Second.'] }],
  [
    'the blocks before its link, without what introduces them',
    'The documentation says:\n\nInstall it.\n\n- now\n- later\n\n[A](/a)\n\nStart it.\n\n[B](/b)',
    { '/a': ['Install it.', 'now later'], '/b': ['Start it.'] },
  ],
  [
    'the code before its link',
    'Run:\n\n```bash\nnpm i\n\nnpm start\n```\n\n[A](/a)',
    { '/a': ['npm i npm start'] },
  ],
  [
    'the item with the link',
    '- One thing: [A](/a)\n- Other thing ([B](/b))',
    { '/a': ['One thing: A'], '/b': ['Other thing (B)'] },
  ],
  [
    'the rows before it',
    'So:\n\n| Code | Meaning |\n| --- | :-: |\n| `0` | Done |\n| 2 | Wrong |\n\n[A](/a)',
    { '/a': ['Code Meaning\n0 Done\n2 Wrong'] },
  ],
  ['the row with the link', '| Name | Where |\n|---|---|\n| port | [A](/a) |', { '/a': ['port A'] }],
  ['no words of a list of links', 'So it is. [C](/c)\n\n- [A](/a)\n- [B](/b)', { '/c': ['So it is.'] }],
  [
    'several sentences for one page',
    'One [a](/a). Two [a](/a). One [a](/a).',
    { '/a': ['One a.', 'Two a.'] },
  ],
  ['an address', 'See <https://x> and that.', {}],
  ['Chinese sentences', '默认端口是四千。它可以改。[端口](/a)', { '/a': ['默认端口是四千。它可以改。'] }],
  ['no link in code', '```\n[A](/a)\n```\n\nYes, [b \\[c\\]](/b).', { '/b': ['Yes, b [c].'] }],
])('gives %s', (_, reply, words) => {
  expect(wordsIn(reply)).toEqual(words)
})

it('gives 500 characters at most', () => {
  expect(wordsIn(`${'word '.repeat(500)}[A](/a)`)['/a']?.[0]).toHaveLength(500)
})

it('reads hostile text in linear time', () => {
  for (const piece of ['[', '](/a)', '[x](/a)', '[x](/a) b. ', '\n- ', '```\n', '. ', '<', '|', '\n\n'])
    expect(citedWords(piece.repeat(100_000 / piece.length), new Set(['/a'])).size).toBeLessThan(2)
})
