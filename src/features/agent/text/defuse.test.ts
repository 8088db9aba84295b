import { describe, expect, it } from 'vitest'
import { defuse, defuseBlock, defuseLine } from './defuse.ts'

const seen = (text: string): string => text.replaceAll('\u{200B}', '')

describe('defuse', () => {
  it('leaves nothing that a host acts upon, in code or outside, and shows the same text', () => {
    const acts: [text: string, pattern: RegExp][] = [
      ['Thanks @octocat and `@octo/team`, (@x)', /(?<![A-Za-z0-9])@[A-Za-z0-9]/],
      ['\\@octocat &#64;octocat &commat;octocat', /(?:@|&#64;|&commat;)octocat/],
      ['fixes #12, Closes: #13, resolves owner/repo#14, GH-15, !16', /[#!]\d|GH-\d/],
      ['Fixes https://github.com/a/b/issues/1', /\bfixes\b/i],
      ['closes [it](https://github.com/a/b/issues/1)', /\bcloses\b/i],
      [
        'see <!-- secret --> <script>x</script> <img src=x> </details> <?php <https://evil.example>',
        /<[A-Za-z/!?]/,
      ],
      ['![pixel](https://evil.example/p.png) ![a][b]', /!\[/],
      ['[//]: # (hidden)\n[b]: https://evil.example/p.png', /\]:/],
      ['/merge\n  /assign me\n/lgtm', /^\s*\/[a-z]/m],
      ['[skip ci] [ci skip] [no ci] ***NO_CI***', /\[(?:skip|ci|no)|\*\*\*NO/],
      ['[skip  ci] [ CI SKIP ] [amplify skip-cd] [ci skip: no] [no-ci]', /\[(?=[ acn]|skip)/],
      ['\u{A0}/merge\n\u{3000}/approve\n                         /lgtm', /^\s*\/[a-z]/m],
      ['bors r+\n- homu x\natlantis apply\nrecheck', /^(?:- )?(?:bors|homu|atlantis|recheck)/m],
      ['retest this please, ok to test, add to whitelist', /\b(?:retest|ok|add)\b/],
      ['ENG-12 #close #time 1w', /#[a-z]/],
      ['closes issue ENG-12, [issue:12], @{557058:1}', /\bcloses|\[issue|@\{/],
      ['skip-checks: true\nfixup! a', /^(?:skip-checks:|fixup!)/m],
      [
        '[a](https\\://evil.example) [b](/evil) [c](../../evil) [d](                      //evil.example)',
        /\]\(/,
      ],
    ]
    for (const [text, pattern] of acts) {
      expect(text).toMatch(pattern)
      expect(defuse(text)).not.toMatch(pattern)
      expect(seen(defuse(text))).toBe(text)
    }
  })

  it('keeps addresses, code and Markdown as they are', () => {
    const text =
      '## What\n\n- Mail a@b.example, see [the guide](guide.md#x) and `a < b`\n\n```sh\nnpm ci\n```'
    expect(defuse(text)).toBe(text)
  })

  it('takes out what cannot be seen', () => {
    expect(defuse('a\u{202E}b\u{200B}c\u{E0041}d\u{FEFF}\u0007e\r\nf')).toBe('abcde\nf')
    expect(defuse('a\u{2028}/b \u{3164}c\u{FE01}\u{FE02}\u{FE03}\u{FE04}d')).toBe(
      'a\n\u{200B}/b c\u{FE01}\u{FE02}d',
    )
    const emoji = '\u{2764}\u{FE0F}\u{200D}\u{1F525} \u{0645}\u{200C}\u{062E}'
    expect(defuse(emoji)).toBe(emoji)
    expect(defuse('@\u{200B}octocat')).toBe('@\u{200B}octocat')
  })

  it('lets no fence stay open', () => {
    expect(defuseBlock('```md\ntext', 100)).toBe('```md\ntext\n```')
    expect(defuseBlock('~~~~\n```\n~~~', 100)).toBe('~~~~\n```\n~~~\n~~~~')
    expect(defuseBlock('```\na\n```\nb', 100)).toBe('```\na\n```\nb')
    // Below an item it stays a fence of that item; at the top it is none.
    expect(defuseBlock('- a\n  ```\n  b', 100)).toBe('- a\n    ```\n  b')
    expect(defuseBlock(`\`\`\`\n${'x\n'.repeat(100)}`, 50)).toMatch(/…\n```$/)
  })

  it('has no heading and no rule that looks like ours, in any place where hosts see one, and leaves code alone', () => {
    const gap = '\u{200B}'
    for (const [text, shown] of [
      ['## Checks', '#### Checks'],
      ['# A\n\n### B', '#### A\n\n##### B'],
      ['> - ## Checks\n1. # Checks', '> - #### Checks\n1. #### Checks'],
      ['a\n\n    ## Checks', 'a\n\n    #### Checks'],
      ['##Checks', '####Checks'],
      ['Checks\n---\nChecks\n===', `Checks\n${gap}---\nChecks\n${gap}===`],
      ['a\n\n* * *\n- ***\n1. ---', `a\n\n${gap}* * *\n${gap}- ***\n1. ${gap}---`],
      ['---yaml\na: b', `${gap}---yaml\na: b`],
      ['>>>\na', `${gap}>>>\na`],
      ['```\n- ```\n    ```\n# a\n```\n## Checks', '```\n- ```\n    ```\n# a\n```\n#### Checks'],
      ['- ```\n## Checks', '- ```\n#### Checks'],
      ['   ```\n   ## Checks', '```\n   ## Checks\n```'],
      ['a\n   ```\n   ## Checks', 'a\n    ```\n   #### Checks'],
      ['```mermaid\na\n```', `\`\`\`${gap}mermaid\na\n\`\`\``],
      ['```sh\n# a\n---\n```', '```sh\n# a\n---\n```'],
      ['| a | b |\n|---|---|\n- [ ] c\n> d', '| a | b |\n|---|---|\n- [ ] c\n> d'],
    ])
      expect([text, defuseBlock(text ?? '', 1000)]).toEqual([text, shown])
  })

  it('makes one line of a title, within its length', () => {
    expect(defuseLine('a\n\n@b   c', 20)).toBe('a @\u{200B}b c')
    expect(defuseLine('\u{1F600}'.repeat(100), 15).isWellFormed()).toBe(true)
    expect(defuseLine('x'.repeat(1000), 15)).toHaveLength(15)
  })

  it('takes time in proportion to hostile text', () => {
    for (const bad of [
      'fixes ',
      '[',
      '!',
      '- ',
      '1. ',
      '](',
      '[skip ',
      'A-1 #',
      '@',
      '<',
      'fixes: fixes:',
      '\t',
      'a/',
      '&#',
      '``` ',
      '\n',
    ]) {
      const text = bad.repeat(Math.ceil(100_000 / bad.length))
      expect(defuseBlock(text, 100_000).length).toBeLessThan(200_000)
    }
  })
})
