const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  colon: ':',
  tab: '\t',
  newline: '\n',
  sol: '/',
  bsol: '\\',
  lpar: '(',
  rpar: ')',
  nbsp: '\u00a0',
  period: '.',
  semi: ';',
  comma: ',',
  equals: '=',
  num: '#',
  quest: '?',
  excl: '!',
  lowbar: '_',
  hyphen: '-',
  plus: '+',
  commat: '@',
  percnt: '%',
  lcub: '{',
  lbrace: '{',
  rcub: '}',
  rbrace: '}',
  lsqb: '[',
  lbrack: '[',
  rsqb: ']',
  rbrack: ']',
}

/** Character references as browsers read them, a missing semicolon included: those that can hide an address. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(
    /&(?:#x([0-9a-f]{1,8})|#(\d{1,8})|([a-z]{2,10}));?/gi,
    (whole, hex, decimal, name) => {
      if (typeof name === 'string') return named[name.toLowerCase()] ?? whole
      const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0 && code < 0x110000 && !(code >= 0xd800 && code < 0xe000)
        ? String.fromCodePoint(code)
        : ''
    },
  )
}
