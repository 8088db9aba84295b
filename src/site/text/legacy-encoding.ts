/** Bytes of a text by which its encoding is guessed. */
const sampleLength = 65_536

/** Encodings of texts that are not Unicode. All of them have ASCII as it is. */
export type LegacyEncoding = (typeof wideEncodings)[number]['encoding'] | SingleByte

type SingleByte = 'windows-1251' | 'windows-1252' | 'windows-1253' | 'windows-1255' | 'koi8-r'

export interface LegacyText {
  text: string
  encoding: LegacyEncoding
}

/**
 * Decodes a text in the encoding that its bytes look like. It is a guess, so that people can read the text, but one that
 * `encodeLegacy` always turns into the same bytes.
 */
export function decodeLegacy(bytes: Uint8Array): LegacyText {
  const sample = bytes.subarray(0, sampleLength)
  for (const encoding of [...likelyWide(sample), likelyAlphabet(sample)]) {
    const text = decodeAs(bytes, encoding)
    if (text !== undefined) return { text, encoding }
  }
  // In which every byte is a character.
  return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' }
}

/** The text of bytes in an encoding; undefined when it would not become the same bytes again. */
export function decodeAs(bytes: Uint8Array, encoding: LegacyEncoding): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    const again = encodeLegacy(text, encoding)
    return again !== undefined && Buffer.compare(again, bytes) === 0 ? text : undefined
  } catch {
    return undefined
  }
}

/** Undefined when the encoding lacks a character. */
export function encodeLegacy(text: string, encoding: LegacyEncoding): Uint8Array | undefined {
  const table = tableOf(encoding)
  const bytes = Buffer.alloc(text.length * 2)
  let length = 0
  for (const character of text) {
    const code = character.charCodeAt(0)
    const known = code < 0x80 ? code : table.get(character)
    if (known === undefined) return undefined
    if (known > 0xff) bytes[length++] = known >> 8
    bytes[length++] = known & 0xff
  }
  return bytes.subarray(0, length)
}

const tables = new Map<LegacyEncoding, ReadonlyMap<string, number>>()

// The platform only decodes, so each byte and pair of bytes is decoded once, on a line of its own.
function tableOf(encoding: LegacyEncoding): ReadonlyMap<string, number> {
  const known = tables.get(encoding)
  if (known !== undefined) return known
  const decoder = new TextDecoder(encoding)
  const table = new Map<string, number>()
  const add = (codes: readonly number[]): void => {
    const lines = codes.flatMap((code) => (code > 0xff ? [code >> 8, code & 0xff, 10] : [code, 10]))
    for (const [index, line] of decoder.decode(Uint8Array.from(lines)).split('\n').entries()) {
      const [character, ...others] = line
      const code = codes[index]
      if (character === undefined || code === undefined || others.length > 0) continue
      if (character >= '\u0080' && character !== '\uFFFD' && !table.has(character)) table.set(character, code)
    }
  }
  add(range(0x80, 0xff))
  if (wideEncodings.some((one) => one.encoding === encoding))
    for (const lead of leads(encoding)) add(range(0x40, 0xfe).map((trail) => lead * 0x100 + trail))
  tables.set(encoding, table)
  return table
}

function range(low: number, high: number): number[] {
  return Array.from({ length: high - low + 1 }, (_, index) => low + index)
}

// Of characters that Shift JIS has twice, those in the rows ED and EE are not written.
function leads(encoding: LegacyEncoding): number[] {
  const all = range(0x81, 0xfe)
  const isLast = (lead: number): boolean => encoding === 'shift_jis' && (lead === 0xed || lead === 0xee)
  return [...all.filter((lead) => !isLast(lead)), ...all.filter(isLast)]
}

interface Wide {
  encoding: string
  lead(byte: number): boolean
  trail(byte: number): boolean
  /** Bytes beyond ASCII that stand for a character alone. */
  single(byte: number): boolean
  /** Whether a text of these characters is probably one of the language. */
  looksRight(share: (is: (lead: number, trail: number) => boolean) => number): boolean
}

const within = (byte: number, low: number, high: number): boolean => byte >= low && byte <= high
const never = (): boolean => false

// Shares are of what is common in these languages: kana, and the characters of the first level.
const wideEncodings = [
  {
    encoding: 'shift_jis',
    lead: (byte) => within(byte, 0x81, 0x9f) || within(byte, 0xe0, 0xfc),
    trail: (byte) => within(byte, 0x40, 0x7e) || within(byte, 0x80, 0xfc),
    single: (byte) => within(byte, 0xa1, 0xdf),
    looksRight: (share) => share((lead) => lead < 0xa0) > 0.8,
  },
  {
    encoding: 'euc-jp',
    lead: (byte) => byte === 0x8e || byte >= 0xa1,
    trail: (byte) => byte >= 0xa1,
    single: never,
    looksRight: (share) => share((lead) => lead === 0xa4 || lead === 0xa5) > 0.15,
  },
  {
    encoding: 'euc-kr',
    lead: (byte) => byte >= 0x81,
    trail: (byte) => within(byte, 0x41, 0x5a) || within(byte, 0x61, 0x7a) || byte >= 0x81,
    single: never,
    looksRight: (share) => share((lead) => within(lead, 0xa1, 0xa3) || within(lead, 0xb0, 0xc8)) > 0.9,
  },
  {
    encoding: 'gbk',
    lead: (byte) => byte >= 0x81,
    trail: (byte) => byte >= 0x40 && byte !== 0x7f,
    single: never,
    looksRight: (share) =>
      share((lead, trail) => trail >= 0xa1 && lead >= 0xa1) > 0.9 &&
      share((lead) => within(lead, 0xa1, 0xa3) || within(lead, 0xb0, 0xd7)) > 0.75,
  },
  {
    encoding: 'big5',
    lead: (byte) => within(byte, 0xa1, 0xf9),
    trail: (byte) => within(byte, 0x40, 0x7e) || byte >= 0xa1,
    single: never,
    looksRight: (share) =>
      share((lead) => within(lead, 0xa1, 0xc6)) > 0.8 && share((_, trail) => trail < 0x7f) > 0.2,
  },
] as const satisfies readonly Wide[]

/** The encodings with two bytes a character that a text is probably in. */
function likelyWide(bytes: Uint8Array): (typeof wideEncodings)[number]['encoding'][] {
  return wideEncodings.filter((wide) => isLikely(bytes, wide)).map(({ encoding }) => encoding)
}

function isLikely(bytes: Uint8Array, wide: Wide): boolean {
  const pairs: [lead: number, trail: number][] = []
  let [singles, run, inRuns] = [0, 0, 0]
  const endRun = (): void => {
    if (run > 1) inRuns += run
    run = 0
  }
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte < 0x80) {
      endRun()
      continue
    }
    run++
    // A sample may end within a character.
    if (at + 1 === bytes.length && wide.lead(byte)) break
    const next = bytes[at + 1] ?? 0
    if (wide.lead(byte) && wide.trail(next)) {
      pairs.push([byte, next])
      at++
    } else if (wide.single(byte)) singles++
    else return false
  }
  endRun()
  const total = pairs.length + singles
  // In words of Latin letters, a letter with an accent mostly stands alone.
  if (pairs.length === 0 || singles > total / 5 || inRuns < total * 0.6) return false
  return wide.looksRight((is) => pairs.filter(([lead, trail]) => is(lead, trail)).length / pairs.length)
}

/** The encoding with one byte a character that a text is probably in. */
function likelyAlphabet(bytes: Uint8Array): SingleByte {
  const high = bytes.filter((byte) => byte >= 0x80)
  const share = (is: (byte: number) => boolean): number => high.filter(is).length / high.length
  // Words of another alphabet are longer than what accents make of Latin ones.
  let [run, inWords] = [0, 0]
  for (let at = 0; at <= bytes.length; at++) {
    if ((bytes[at] ?? 0) >= 0x80) run++
    else {
      if (run > 2) inWords += run
      run = 0
    }
  }
  if (inWords < high.length * 0.6) return 'windows-1252'
  // Cyrillic has its small letters here, and its capitals before; KOI8-R the other way round.
  const [small, capital] = [share((byte) => byte >= 0xe0), share((byte) => within(byte, 0xc0, 0xdf))]
  if (capital > small) return 'koi8-r'
  // Hebrew has no capitals.
  if (capital === 0 && share((byte) => byte > 0xfa) === 0) return 'windows-1255'
  const accents = share((byte) => within(byte, 0xdc, 0xdf) || within(byte, 0xfc, 0xfe))
  return accents > 0.07 ? 'windows-1253' : 'windows-1251'
}
