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

  it('makes one line of a title, within its length', () => {
    expect(defuseLine('a\n\n@b   c', 20)).toBe('a @\u{200B}b c')
    expect(defuseLine('\u{1F600}'.repeat(100), 15).isWellFormed()).toBe(true)
    expect(defuseLine('x'.repeat(1000), 15)).toHaveLength(15)
  })

  it('takes time in proportion to hostile text', () => {
    for (const bad of ['fixes ', '[', '!', '@', '<', 'fixes: fixes:', '\t', 'a/', '&#', '``` ', '\n']) {
      const text = bad.repeat(Math.ceil(100_000 / bad.length))
      expect(defuseBlock(text, 100_000).length).toBeLessThan(200_000)
    }
  })
})
