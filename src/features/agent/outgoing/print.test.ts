import { describe, expect, it } from 'vitest'
import { copied, whatActs, whatActsInPlainText } from '../../../../tests/agent/what-acts.ts'
import { commitMessage, requestTitle } from './commit-message.ts'
import { plainPrinter, printer } from './print.ts'
import { writeMarkdown } from './write-markdown.ts'

/** Texts that have an effect on some host; the second text is how it is rendered if that differs from the first. */
const acting: [text: string, shown?: string][] = [
  ['Thanks @octocat and `@octo/team`, (@x)', 'Thanks @octocat and @octo/team, (@x)'],
  ['\\@octocat &#64;octocat &commat;octocat', '@octocat @octocat @octocat'],
  ['fixes #12, Closes: #13, resolves owner/repo#14, GH-15, !16, &17'],
  ['Fixes https://github.com/a/b/issues/1'],
  ['closes [it](https://github.com/a/b/issues/1)', 'closes it (https://github.com/a/b/issues/1)'],
  [
    '`closes #1` and `fixes https://github.com/a/b/issues/1`',
    'closes #1 and fixes https://github.com/a/b/issues/1',
  ],
  [
    'a <!-- secret --> <script>x</script> <img src=x> </details> <?php <https://evil.example>',
    'a <!-- secret --> <script>x</script> <img src=x> </details> <?php https://evil.example',
  ],
  ['![pixel](https://evil.example/p.png) ![a][b]', 'pixel (https://evil.example/p.png) ![a][b]'],
  ['[//]: # (hidden)\n[b]: https://evil.example/p.png', '//: # hidden b: https://evil.example/p.png'],
  ['Note[^1]\n\n[^1]: Hidden', 'Note[^1] ^1: Hidden'],
  ['/merge\n  /assign me\n/lgtm'],
  ['- /merge\n- a\n\n  /lgtm', '/merge a /lgtm'],
  ['[skip ci] [ci skip] [no ci] `[skip ci]` `[skip-cd]`', '[skip ci] [ci skip] [no ci] [skip ci] [skip-cd]'],
  ['***NO_CI***', 'NO_CI'],
  ['`***NO_CI***`', '***NO_CI***'],
  ['[skip  ci] [ CI SKIP ] [amplify skip-cd] [ci skip: no] [no-ci]'],
  ['\u{A0}/merge\n\u{3000}/approve\n                         /lgtm'],
  ['a\n\n                         /lgtm'],
  ['bors r+\n- homu x\natlantis apply\nrecheck', 'bors r+ homu x atlantis apply recheck'],
  [
    'retest this please, ok to test, add to whitelist, `test` this `please`',
    'retest this please, ok to test, add to whitelist, `test` this `please`',
  ],
  ['`retest this please`', 'retest this please'],
  ['ENG-12 #close #time 1w, `ENG-12 #close`', 'ENG-12 #close #time 1w, ENG-12 #close'],
  ['closes issue ENG-12, [issue:12], @{557058:1}'],
  ['skip-checks: true\nfixup! a'],
  [
    'Signed-off-by: A <a@b.example>\nCo-authored-by: B\nBREAKING CHANGE: all\n> **BREAKING-CHANGE:** x',
    'Signed-off-by: A a@b.example Co-authored-by: B BREAKING CHANGE: all BREAKING-CHANGE: x',
  ],
  ['BEGIN_COMMIT_OVERRIDE `END_COMMIT_OVERRIDE`', 'BEGIN_COMMIT_OVERRIDE END_COMMIT_OVERRIDE'],
  ['feat(a)!: x\nrefactor!: y'],
  [
    '[a](https\\://evil.example) [b](/evil) [c](../../evil) [d](                      //evil.example)',
    'a (https://evil.example) b (/evil) c (../../evil) d (//evil.example)',
  ],
  ['www.evil.example mailto:a@b.example ftp://x.example'],
  [
    '```sh\ngit commit -m "x [skip ci]"\n/merge\nfixes #12\nSigned-off-by: A\n```',
    'git commit -m "x [skip ci]" /merge fixes #12 Signed-off-by: A',
  ],
  ['---yaml\na: b'],
  ['[login](https://evil.example/login)', 'login (https://evil.example/login)'],
]

describe('text that is printed for hosts', () => {
  it.each(acting)('does nothing, and is copied as it was written: %s', (text, shown = text) => {
    const printed = printer.block(text, 2000)
    expect([printed, whatActs(printed)]).toEqual([printed, []])
    expect(copied(printed)).toBe(shown.replaceAll(/\s+/g, ' ').trim())
    const line = printer.line(text, 2000)
    expect([line, whatActs(line), line.includes('\n')]).toEqual([line, [], false])
    const plain = plainPrinter.block(text, 2000)
    expect([plain, whatActs(plain)]).toEqual([plain, []])
    expect(copied(plain)).toBe(text.replaceAll(/\s+/g, ' ').trim())
  })

  it.each(acting)('does nothing in a title and in a commit message: %s', (text) => {
    for (const summary of [text, `${'word '.repeat(14)}${text}`]) {
      const message = commitMessage({ title: 'Title', summary, model: 'm', jobId: 'job_1' })
      expect([message, whatActsInPlainText(message.replace(/\n\nGenerated-by: [^]*$/, ''))]).toEqual([
        message,
        [],
      ])
    }
    const title = requestTitle(text)
    expect([title, whatActsInPlainText(title)]).toEqual([title, []])
  })

  it('has no effect in any combination', () => {
    const pieces = [
      ...acting.map(([text]) => text),
      '`',
      '*',
      '_',
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '\n',
      '\n\n',
      '- ',
      '> ',
      '# ',
      '```\n',
      '~~~\n',
      '|a|b|\n|-|-|\n|',
      '\\',
      '&',
      '@',
      '#',
      '/',
      '1. ',
      '    ',
      'a',
      '!',
      '~~',
      '$',
    ]
    let seed = 7
    const next = (most: number): number => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % most
    }
    for (let n = 0; n < 300; n++) {
      const text = Array.from(
        { length: 2 + next(6) },
        () => `${pieces[next(pieces.length)]}${['', ' ', '\n'][next(3)]}`,
      ).join('')
      const printed = printer.block(text, 4000)
      expect([text, printed, whatActs(printed)]).toEqual([text, printed, []])
      const message = commitMessage({ title: requestTitle(text), summary: text, model: 'm', jobId: 'job_1' })
      expect([
        text,
        message,
        whatActsInPlainText(
          message.replace(/(?:\n\n|^)Generated-by: Docwright \(m\)\nDocwright-Job: job_1$/, ''),
        ),
      ]).toEqual([text, message, []])
    }
  })

  it('keeps code byte for byte, and harmless Markdown unchanged', () => {
    for (const text of [
      '###### What\n\n- See [the guide](guide.md#x) and `npm i @acme/sdk`\n\n```sh\nnpm i @acme/sdk # 12\n```',
      '| a | b |\n| - | - |\n| c | `d` |\n\n- [ ] c\n\n> d\n\n1. *e*\n2. **f** ~~g~~',
      'Renamed `old_name` to new_name: 3 < 4 & 5 > 4',
    ])
      expect(printer.block(text, 1000)).toBe(text)
  })

  it('has no invisible characters, and removes those of the text', () => {
    expect(printer.block('a\u{202E}b\u{200B}c\u{E0041}d\u{FEFF}\u0007e\r\nf', 100)).toBe('abcde\nf')
    expect(printer.block('a\u{2028}/b \u{3164}c\u{FE01}\u{FE02}\u{FE03}\u{FE04}d', 100)).toBe(
      'a\n`/b` c\u{FE01}\u{FE02}d',
    )
    const emoji = '\u{2764}\u{FE0F}\u{200D}\u{1F525} \u{0645}\u{200C}\u{062E}'
    expect(printer.block(emoji, 100)).toBe(emoji)
    expect(printer.block('@\u{200B}octocat', 100)).toBe('`@octocat`')
    expect(requestTitle('a\u{200B}b @c')).toBe('ab `@c`')
  })

  it('leaves no fence open, and renders none as a picture', () => {
    expect(printer.block('```md\ntext', 100)).toBe('```md\ntext\n```')
    expect(printer.block('~~~~\n```\n~~~', 100)).toBe('````\n```\n~~~\n````')
    expect(printer.block('```\na\n```\nb', 100)).toBe('```\na\n```\n\nb')
    expect(printer.block('- a\n  ```\n  b', 100)).toBe('- a\n  ```\n  b\n  ```')
    expect(printer.block('- ```\n## Checks', 100)).toBe('- ```\n  ```\n\n#### Checks')
    expect(printer.block(`\`\`\`\n${'x\n'.repeat(100)}`, 50)).toMatch(/…\n```$/)
    for (const language of ['mermaid', 'suggestion', 'math', 'geojson', 'Mermaid', 'suggestion:-0+0', 'x y'])
      expect(printer.block(`\`\`\`${language}\na\n\`\`\``, 100)).toBe('```\na\n```')
  })

  it('has no heading and no rule that looks like ours', () => {
    for (const [text, shown] of [
      ['## Checks', '#### Checks'],
      ['# A\n\n### B', '#### A\n\n##### B'],
      ['> - ## Checks\n1. # Checks', '> - #### Checks\n\n1. #### Checks'],
      ['a\n\n    ## Checks', 'a\n\n```\n## Checks\n```'],
      ['##Checks', '\\##Checks'],
      ['Checks\n---\nChecks\n===', '#### Checks\n\n#### Checks'],
      ['a\n\n* * *\n- ***\n1. ---', 'a\n\n`---`\n\n- `---`\n\n1. `---`'],
      ['>>>\na', '> > >\n\na'],
      ['```sh\n# a\n```', '```sh\n# a\n```'],
    ])
      expect([text, printer.block(text ?? '', 1000)]).toEqual([text, shown])
  })

  it('prints a text that takes too long to parse as code', async () => {
    const text = `Thanks @octocat ${'_a*'.repeat(3300)}`
    const comment = await writeMarkdown({ comment: text, maxLength: 10_000 }, 100)
    expect(comment).toBe(`\`\`\`\n${text}\n\`\`\``)
    expect(await writeMarkdown({ comment: 'Thanks @octocat', maxLength: 100 })).toBe('Thanks `@octocat`')
  })

  it('stays within its length, and makes one line of a title', () => {
    expect(printer.line('a\n\n@b   c', 20)).toBe('a `@b` c')
    expect(printer.line('\u{1F600}'.repeat(100), 15).isWellFormed()).toBe(true)
    expect(printer.line('x'.repeat(1000), 15)).toHaveLength(15)
    expect(printer.block('_*'.repeat(1000), 500).length).toBeLessThanOrEqual(500)
    expect(requestTitle('x'.repeat(1000))).toHaveLength(70)
    expect(requestTitle('Install @acme/sdk')).toBe('Install `@acme/sdk`')
  })
})
